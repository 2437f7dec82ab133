/** The style of a report; its hash is in the policy of the page, so that no other style is applied. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dce2, #3a4048); --soft: light-dark(#f5f6f8, #1f2328);
  --text: light-dark(#1c2128, #e6e8eb); --quiet: light-dark(#5b6470, #9aa3ad); --good: light-dark(#1a7f37, #57c26f);
  --bad: light-dark(#c4232f, #ff7b82); --warning: light-dark(#8a5a00, #e0b04c); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif;
  color: var(--text); background: light-dark(#fff, #15181c); }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; white-space: pre-line; font-weight: 600; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
code, pre { font: 12.5px/1.45 ui-monospace, monospace; }
pre { margin: .4rem 0; padding: .6rem .75rem; max-height: 28rem; overflow: auto; background: var(--soft);
  border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); } .warning { color: var(--warning); }
.badge { display: inline-block; padding: .05rem .55rem; border: 1px solid currentColor; border-radius: 1rem;
  font-size: .8rem; font-weight: 600; vertical-align: middle; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .6rem; margin: 1rem 0; }
.facts div { padding: .5rem .7rem; background: var(--soft); border-radius: 6px; overflow-wrap: anywhere; }
.facts span { display: block; font-size: .78rem; color: var(--quiet); }
.answer { white-space: pre-line; padding: .7rem .9rem; border-left: 3px solid var(--good); background: var(--soft); }
.failure { padding: .7rem .9rem; border-left: 3px solid var(--bad); background: var(--soft); }
.step { margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px; }
.step > header { display: flex; gap: .75rem; align-items: baseline; padding: .65rem .9rem; background: var(--soft);
  border-radius: 8px 8px 0 0; }
.step > header h3 { flex: 1; }
.step > .inner { padding: .35rem .9rem .8rem; }
.entry { display: grid; grid-template-columns: 4.6rem 1fr auto; gap: .6rem; padding: .22rem 0; align-items: baseline; }
.entry time, .entry .aside { font-size: .78rem; color: var(--quiet); white-space: nowrap; font-variant-numeric: tabular-nums; }
.entry > div { min-width: 0; overflow-wrap: anywhere; white-space: pre-line; }
.entry .thought { font-style: italic; color: var(--quiet); }
.more { margin: 0 0 .3rem 5.2rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .85rem; }
figure { margin: .5rem 0; } figcaption { font-size: .78rem; color: var(--quiet); }
img { display: block; max-width: min(100%, 40rem); height: auto; border: 1px solid var(--line); border-radius: 6px; }
table { width: 100%; border-collapse: collapse; font-size: .88rem; }
th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 500; } td.number, th.number { text-align: right; white-space: nowrap; }
.scroll { overflow-x: auto; }
@media (max-width: 40rem) { .entry { grid-template-columns: 1fr auto; } .entry time { display: none; } .more { margin-left: 0; } }
@media print { pre { max-height: none; } body { max-width: none; } }
`;
