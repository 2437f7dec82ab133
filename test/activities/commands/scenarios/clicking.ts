import type { Scenario } from './scenario';

/** Writes each event of the button into its text. */
const LOGGED = `<button>Press</button><p id=log></p><script>
  const button = document.querySelector('button');
  for (const kind of ['click', 'dblclick', 'contextmenu', 'auxclick'])
    button.addEventListener(kind, (event) => {
      event.preventDefault();
      const keys = ['ctrlKey', 'shiftKey', 'altKey', 'metaKey'].filter((key) => event[key]).join('+');
      log.textContent += kind + (keys === '' ? '' : ':' + keys) + ' ';
    });
</script>`;
const LOG = 'document.querySelector("#log").textContent';

export const clicking: Scenario[] = [
  {
    title: 'a button is clicked once, and the answer says what was clicked',
    html: LOGGED,
    async run({ click, value }) {
      expect(await click('Press')).toMatch(/^Clicked the button “Press”/);
      expect(await value(LOG)).toBe('click ');
    },
  },
  {
    title: 'a double click is two clicks and one double click',
    html: LOGGED,
    async run({ click, value }) {
      await click('Press', { action: 'double_click' });
      expect(await value(LOG)).toBe('click click dblclick ');
    },
  },
  {
    title: 'a click with the right button opens the menu of the page, and is no click',
    html: LOGGED,
    async run({ click, value }) {
      await click('Press', { action: 'right_click' });
      expect(await value<string>(LOG)).toMatch(/^(?=.*contextmenu )(?!.*(?:^| )click)/);
    },
  },
  ...[
    ['Control', 'ctrlKey'],
    ['Shift', 'shiftKey'],
    ['Alt', 'altKey'],
    ['Shift+Alt', 'shiftKey+altKey'],
  ].map(([modifiers, keys]): Scenario => ({
    title: `a click with ${modifiers} held reaches the page with it`,
    html: LOGGED,
    async run({ click, value }) {
      await click('Press', { modifiers });
      expect(await value(LOG)).toBe(`click:${keys} `);
    },
  })),
  {
    title: 'a modifier that no keyboard has is refused',
    html: LOGGED,
    async run({ click, value }) {
      expect(await click('Press', { modifiers: 'Hyper' })).toMatch(/Hyper/);
      expect(await value(LOG)).toBe('');
    },
  },
  {
    title: 'a link is followed, and the answer has the page that it led to',
    async run({ serve, call, click, page }) {
      const goal = serve('/linked', '<title>Linked</title><h1>There</h1>');
      await call('navigate', { url: serve('/link', `<a href="${goal}">Go on</a>`) });
      expect(await click('Go on')).toMatch(/The page is now “Linked”/);
      expect(page().url()).toBe(goal);
    },
  },
  {
    title: 'a triple click marks a paragraph',
    html: '<p role=button tabindex=0>One whole line of text</p><p>Another</p>',
    async run({ click, value }) {
      await click('One whole line', { action: 'triple_click' });
      expect(await value<string>('getSelection().toString().trim()')).toContain('One whole line of text');
    },
  },
  {
    title: 'what is below the view is scrolled to and clicked',
    html: `<div style="height:4000px">Tall</div>${LOGGED}`,
    async run({ click, value }) {
      await click('Press');
      expect(await value(LOG)).toBe('click ');
      expect(await value<number>('scrollY')).toBeGreaterThan(1000);
    },
  },
  {
    title: 'an element that was replaced by one of its role and name is clicked all the same',
    html: LOGGED.replace(
      '</script>',
      `window.again = () => { const twin = button.cloneNode(true); twin.onclick = () => log.textContent += 'twin '; button.replaceWith(twin); }</script>`,
    ),
    async run({ ref, value, use }) {
      const first = await ref('Press');
      await value('again()');
      expect(await use('computer', { action: 'left_click', ref: first })).toMatch(/^Clicked/);
      expect(await value(LOG)).toBe('twin ');
    },
  },
  {
    title: 'an element that is gone is an error that says to look again, and nothing else is clicked',
    html: '<button>First</button><button onclick="document.title=\'clicked\'">Second</button>',
    async run({ ref, value, use, page }) {
      const first = await ref('First');
      await value('document.querySelector("button").remove()');
      expect(await use('computer', { action: 'left_click', ref: first })).toMatch(
        /^Error: There is no button “First”.*new snapshot/s,
      );
      expect(await page().title()).not.toBe('clicked');
    },
  },
  {
    title: 'a ref that the page never had is refused',
    html: LOGGED,
    async run({ read, use }) {
      await read();
      expect(await use('computer', { action: 'left_click', ref: 'e999' })).toMatch(
        /There was no e999 on the page.*read it again/,
      );
    },
  },
  {
    title: 'what is no ref at all is refused with how one reads',
    html: LOGGED,
    async run({ read, use }) {
      await read();
      expect(await use('computer', { action: 'left_click', ref: '#submit' })).toMatch(
        /“#submit” is no ref\. A ref reads like e12/,
      );
    },
  },
  {
    title: 'a button whose name reads like a ref is the one that is meant',
    html: '<button>Other</button><button onclick="document.title=\'right\'">e1</button>',
    async run({ click, page }) {
      await click('e1');
      expect(await page().title()).toBe('right');
    },
  },
  {
    title: 'names with quotes, backslashes and brackets are found again',
    html: `<button onclick="document.title='right'">It's "50%" \\ [off]</button>`,
    async run({ read, use, page }) {
      const ref = /button [^\n]*50%[^\n]*\[ref=(\w+)\]/.exec(await read())![1];
      expect(await use('computer', { action: 'left_click', ref })).toMatch(/^Clicked/);
      expect(await page().title()).toBe('right');
    },
  },
  {
    title: 'a disabled button is an error that says so, and is not clicked',
    html: '<button disabled onclick="document.title=\'clicked\'">Buy</button>',
    async run({ click, page }) {
      expect(await click('Buy')).toMatch(/^Error: .*disabled/s);
      expect(await page().title()).not.toBe('clicked');
    },
  },
  {
    title: 'a button under another element is an error that names what covers it',
    html: '<button onclick="document.title=\'clicked\'">Buy</button><div style="position:fixed;inset:0;background:#fff" role=dialog aria-label="Cookies">Cookies?</div>',
    async run({ click, page }) {
      expect(await click('Buy')).toMatch(/^Error: .*(?:cover|Cookies)/s);
      expect(await page().title()).not.toBe('clicked');
    },
  },
  {
    title: 'a button in a frame is clicked in its frame',
    html: `<h1>Outside</h1><iframe srcdoc="<button onclick='parent.document.title = &quot;inside&quot;'>Within</button>"></iframe>`,
    async run({ click, page }) {
      await click('Within');
      expect(await page().title()).toBe('inside');
    },
  },
  {
    title: 'of equal buttons in two frames the one that was shown is clicked',
    html: [1, 2]
      .map((number) => `<iframe srcdoc="<button onclick='parent.document.title = ${number}'>Same</button>"></iframe>`)
      .join(''),
    async run({ read, use, page }) {
      const refs = [...(await read()).matchAll(/button "Same" \[ref=(\w+)\]/g)].map(([, ref]) => ref);
      expect(refs).toHaveLength(2);
      await use('computer', { action: 'left_click', ref: refs[1] });
      expect(await page().title()).toBe('2');
    },
  },
  {
    title: 'a button in an open shadow tree is read and clicked',
    html: `<my-box></my-box><script>customElements.define('my-box', class extends HTMLElement { connectedCallback() {
      this.attachShadow({ mode: 'open' }).innerHTML = '<button>Deep</button>';
      this.shadowRoot.querySelector('button').onclick = () => document.title = 'deep'; } })</script>`,
    async run({ click, page }) {
      await click('Deep');
      expect(await page().title()).toBe('deep');
    },
  },
  {
    title: 'a visible button within what is hidden is shown and clicked',
    html: '<div style="visibility:hidden"><div style="visibility:visible"><button onclick="document.title=\'seen\'">Seen</button></div></div>',
    async run({ click, page }) {
      await click('Seen');
      expect(await page().title()).toBe('seen');
    },
  },
  {
    title: 'an element that moves is clicked once it stands still',
    html: '<style>@keyframes go { from { margin-left: 400px } }</style><button style="animation: go 0.4s" onclick="document.title=\'hit\'">Moving</button>',
    async run({ click, page }) {
      expect(await click('Moving')).toMatch(/^Clicked/);
      expect(await page().title()).toBe('hit');
    },
  },
];
