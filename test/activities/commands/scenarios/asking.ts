import type { Scenario } from './scenario';

const asks = (script: string): string =>
  `<button onclick="document.body.dataset.said = String(${script})">Ask</button>`;
const SAID = 'document.body.dataset.said';

/** Dialogs, tabs and files. */
export const asking: Scenario[] = [
  {
    title: 'an alert does not stop a click, whose answer has its words',
    html: asks("alert('Saved')"),
    async run({ click, value }) {
      expect(await click('Ask')).toMatch(/^Clicked.*dialog \(alert\): “Saved”/s);
      expect(await value(SAID)).toBe('undefined');
    },
  },
  {
    title: 'two alerts of one click are both in its answer',
    html: asks("[alert('First'), alert('Second')]"),
    async run({ click, value }) {
      expect(await click('Ask')).toMatch(/“First”.*“Second”/s);
      expect(await value(SAID)).toBe(',');
    },
  },
  {
    title: 'a question is answered with yes when that was said before',
    html: asks("confirm('Sure?')"),
    async run({ use, click, value }) {
      await use('dialogs', { accept: true });
      expect(await click('Ask')).toMatch(/“Sure\?”; it was answered with yes/);
      expect(await value(SAID)).toBe('true');
    },
  },
  {
    title: 'a question is answered with no when that was said before',
    html: asks("confirm('Sure?')"),
    async run({ use, click, value }) {
      await use('dialogs', { accept: false });
      expect(await click('Ask')).toMatch(/“Sure\?”; it was (?:answered with no|dismissed)/);
      expect(await value(SAID)).toBe('false');
    },
  },
  {
    title: 'a question for which nothing was said is dismissed, and the answer says so',
    html: asks("confirm('Sure?')"),
    async run({ click, value }) {
      expect(await click('Ask')).toContain('Sure?');
      expect(await value(SAID)).toBe('false');
    },
  },
  {
    title: 'what was said holds for the questions of one click, and not for those of the next',
    html: asks("[confirm('One?'), confirm('Two?')]"),
    async run({ use, click, value }) {
      await use('dialogs', { accept: true });
      await click('Ask');
      expect(await value(SAID)).toBe('true,true');
      await click('Ask');
      expect(await value(SAID)).toBe('false,false');
    },
  },
  {
    title: 'a question for a text gets the text that was said before',
    html: asks("prompt('Name?', 'nobody')"),
    async run({ use, click, value }) {
      await use('dialogs', { accept: true, text: 'Ada' });
      await click('Ask');
      expect(await value(SAID)).toBe('Ada');
    },
  },
  {
    title: 'a question for a text that is dismissed gets none',
    html: asks("prompt('Name?', 'nobody')"),
    async run({ use, click, value }) {
      await use('dialogs', { accept: false });
      await click('Ask');
      expect(await value(SAID)).toBe('null');
    },
  },
  {
    title: 'an alert that comes a moment after the click leaves the page usable',
    html: `<button onclick="setTimeout(() => { alert('Late'); document.body.append('went on') }, 100)">Ask</button>`,
    async run({ click, use, read }) {
      await click('Ask');
      expect(await use('wait', { text: 'went on', seconds: 10 })).toContain('is there');
      expect(await read()).toContain('button "Ask"');
    },
  },
  {
    title: 'a page that asks before it is left is left',
    html: `<label>Name <input></label><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
    async run({ fill, use, serve }) {
      await fill('Name', 'Ada');
      expect(await use('navigate', { url: serve('/left', '<title>Left</title>') })).toContain('Left');
    },
  },

  {
    title: 'a session begins with one tab, which is the one in front',
    isAlone: true,
    html: '<title>Only</title>',
    async run({ use }) {
      expect((await use('tabs')).split('\n')).toEqual([expect.stringMatching(/^1 \(this one\): /)]);
    },
  },
  {
    title: 'a new tab with an address is in front, and has its number, title and address in the list',
    isAlone: true,
    async run({ serve, use, read, page }) {
      const url = serve('/tab-two', '<title>Two</title><h1>Body two</h1>');
      expect(await use('open_tab', { url })).not.toMatch(/^Error/);
      expect(page().url()).toBe(url);
      expect(await use('tabs')).toMatch(/^1: .*\n2 \(this one\): .*Two.*tab-two/);
      expect(await read()).toContain('Body two');
    },
  },
  {
    title: 'an empty tab is opened, and the next address opens in it',
    isAlone: true,
    async run({ serve, use, page }) {
      await use('open_tab');
      expect(page().url()).toBe('about:blank');
      await use('navigate', { url: serve('/into-empty', '<title>Filled</title>') });
      expect((await use('tabs')).split('\n')).toHaveLength(2);
      expect(await page().title()).toBe('Filled');
    },
  },
  {
    title: 'a tab is gone to by number, by title and by “last”',
    isAlone: true,
    async run({ serve, use, page, url }) {
      const [two, three] = ['Two', 'Three'].map((name) => serve(`/go-${name}`, `<title>${name}</title>`));
      await use('open_tab', { url: two });
      await use('open_tab', { url: three });
      await use('tabs', { tab: '1' });
      expect(page().url()).toBe(url);
      await use('tabs', { tab: 'Two' });
      expect(page().url()).toBe(two);
      await use('tabs', { tab: 'last' });
      expect(page().url()).toBe(three);
    },
  },
  {
    title: 'a tab that is not there is an error that lists those that are',
    limitMs: 4000,
    isAlone: true,
    html: '<title>Only</title>',
    async run({ use }) {
      expect(await use('tabs', { tab: 'Nowhere' })).toMatch(/^Error: .*Nowhere/s);
    },
  },
  {
    title: 'a tab is closed by number, and the one in front stays in front',
    isAlone: true,
    async run({ serve, use, page, url }) {
      await use('open_tab', { url: serve('/closes', '<title>Closes</title>') });
      await use('tabs', { tab: '1' });
      expect(await use('close_tab', { tab: '2' })).not.toMatch(/^Error/);
      expect((await use('tabs')).split('\n')).toHaveLength(1);
      expect(page().url()).toBe(url);
    },
  },
  {
    title: 'after the tab in front was closed another one is in front, and is read',
    isAlone: true,
    html: '<h1>First tab</h1>',
    async run({ serve, use, read, page, url }) {
      await use('open_tab', { url: serve('/closed', '<title>Closed</title>') });
      await use('close_tab');
      expect(page().url()).toBe(url);
      expect(await read()).toContain('First tab');
    },
  },
  {
    title: 'a link that opens a new tab leads there, and the answer says so',
    isAlone: true,
    html: '<a href="about:blank" target=_blank id=a>Help</a>',
    async run({ serve, value, click, page, use }) {
      const url = serve('/help', '<title>Help pages</title>');
      await value(`document.querySelector('a').href = ${JSON.stringify(url)}`);
      expect(await click('Help')).toContain('Help pages');
      expect(page().url()).toBe(url);
      expect((await use('tabs')).split('\n')).toHaveLength(2);
    },
  },

  {
    title: 'a link to a file is clicked, and the answer has the name of the file',
    html: '<a download="prices.csv" href="data:text/csv,a;1">Prices</a>',
    async run({ ref, use }) {
      expect(await use('download', { ref: await ref('Prices') })).toMatch(/^Downloaded “prices\.csv”, 3 bytes/);
    },
  },
  {
    title: 'a click that brings a file by the way reports it',
    html: '<a download="prices.csv" href="data:text/csv,a;1">Prices</a>',
    async run({ click }) {
      expect(await click('Prices')).toContain('prices.csv');
    },
  },
  {
    title: 'what brings no file is an error that says so',
    limitMs: 4000,
    html: '<button>Nothing</button>',
    async run({ ref, use }) {
      expect(await use('download', { ref: await ref('Nothing') })).toMatch(/^Error: /);
    },
  },
  {
    title: 'a file field gets several files where it takes them',
    html: '<label>Papers <input type=file multiple></label>',
    async run({ ref, use, value }) {
      await use('upload', { ref: await ref('Papers'), files: ['one.txt', 'two.txt'] });
      expect(await value('[...document.querySelector("input").files].map(({ name }) => name)')).toEqual([
        'one.txt',
        'two.txt',
      ]);
    },
  },
  {
    title: 'a button that opens a file chooser gets the file',
    html: '<input type=file id=f hidden><button onclick="document.querySelector(\'#f\').click()">Attach</button>',
    async run({ ref, use, value }) {
      expect(await use('upload', { ref: await ref('Attach'), files: ['one.txt'] })).not.toMatch(/^Error/);
      expect(await value('document.querySelector("#f").files[0]?.name')).toBe('one.txt');
    },
  },
  {
    title: 'a file that is not in the folder for uploads is refused, whatever its path',
    html: '<label>Papers <input type=file></label>',
    async run({ ref, use, value }) {
      const papers = await ref('Papers');
      for (const file of ['/etc/passwd', '../one.txt', 'nothing.txt'])
        expect(await use('upload', { ref: papers, files: [file] })).toMatch(/no plain file name|no file/);
      expect(await value('document.querySelector("input").files.length')).toBe(0);
    },
  },
  {
    title: 'files are dropped onto an element',
    html: `<div role=button aria-label="Drop here" style="width:200px;height:100px" ondragover="event.preventDefault()"
      ondrop="event.preventDefault(); event.dataTransfer.files[0].text().then((text) => document.title = text)">Drop here</div>`,
    async run({ ref, use, page }) {
      await use('gesture', { action: 'drop_files', ref: await ref('Drop here'), files: ['one.txt'] });
      expect(await page().title()).toBe('the first file');
    },
  },
  {
    title: 'a drop without files is refused',
    html: '<button>Drop here</button>',
    async run({ ref, use }) {
      expect(await use('gesture', { action: 'drop_files', ref: await ref('Drop here') })).toBe(
        'drop_files needs the names of the files.',
      );
    },
  },
];
