import type { Scenario } from './scenario';

const GROCERIES = `<h1>Groceries</h1><ul aria-label="Fruit"><li>Apples <button>Add</button></li><li>Bananas <button>Add</button></li><li>Cherries <button>Add</button></li></ul>
  <nav aria-label="Primary"><a href="/help">Deep help page</a></nav>`;

export const looking: Scenario[] = [
  {
    title: 'an element is found by its words, with its ref',
    html: GROCERIES,
    async run({ use }) {
      expect(await use('find', { query: 'Deep help page' })).toMatch(/link "Deep help page" \[ref=\w+\]/);
    },
  },
  {
    title: 'an element among equals is found by the row that it stands in',
    html: GROCERIES,
    async run({ use }) {
      const [, first] = (await use('find', { query: 'the Add button of Bananas' })).split('\n');
      expect(first).toMatch(/button "Add" .*Bananas/);
    },
  },
  {
    title: 'a search does not mind capital letters',
    html: GROCERIES,
    async run({ use }) {
      expect(await use('find', { query: 'deep HELP page' })).toMatch(/link "Deep help page"/);
    },
  },
  {
    title: 'a search for what is not there says so',
    html: GROCERIES,
    async run({ use }) {
      expect(await use('find', { query: 'Pineapples' })).toMatch(/^Nothing on .* matches “Pineapples”/);
    },
  },
  {
    title: 'a search without words is refused with what is missing',
    html: GROCERIES,
    async run({ use }) {
      expect(await use('find', {})).toMatch(/query/);
    },
  },
  {
    title: 'a search finds what stands in a frame',
    html: '<iframe srcdoc="<button>Inner one</button>"></iframe>',
    async run({ use }) {
      expect(await use('find', { query: 'Inner one' })).toMatch(/button "Inner one" \[ref=f\d+e\d+\]/);
    },
  },
  {
    title: 'frames stand in the tree of their page, also one in another',
    html: `<h1>Outer</h1><iframe srcdoc="<h2>Middle</h2><iframe srcdoc='<h3>Inner</h3>'></iframe>"></iframe>`,
    async run({ read }) {
      expect(await read()).toMatch(/heading "Outer"[^]*iframe[^]*heading "Middle"[^]*iframe[^]*heading "Inner"/);
    },
  },
  {
    title: 'values of fields, and what is checked, chosen, expanded and disabled, stand in the tree',
    html: `<label>Name <input value="Ada Lovelace"></label><label><input type=checkbox checked> News</label>
      <label>Colour <select><option>Red<option selected>Blue</select></label><button aria-expanded=true>Menu</button><button disabled>Off</button>
      <label>Volume <input type=range value=75></label>`,
    async run({ read }) {
      const page = await read();
      expect(page).toMatch(/textbox "Name"[^\n]*: Ada Lovelace/);
      expect(page).toMatch(/checkbox "News"[^\n]*\[checked\]/);
      expect(page).toMatch(/"Blue"[^\n]*\[selected\]/);
      expect(page).toMatch(/button "Menu"[^\n]*\[expanded\]/);
      expect(page).toMatch(/button "Off"[^\n]*\[disabled\]/);
      expect(page).toMatch(/slider "Volume"[^\n]*75/);
    },
  },
  {
    title: 'a list is read with its items in their order',
    html: '<ul><li>Apple</li><li>Banana</li><li>Cherry</li></ul>',
    async run({ read }) {
      expect(await read()).toMatch(/list[^]*listitem[^\n]*Apple[^]*listitem[^\n]*Banana[^]*listitem[^\n]*Cherry/);
    },
  },
  {
    title: 'links are shown with the address that they lead to',
    html: '<a href="/terms?x=1">Terms</a>',
    async run({ read }) {
      expect(await read()).toMatch(/link "Terms"[^]*\/terms\?x=1/);
    },
  },
  {
    title: 'what is hidden is not shown',
    html: '<p style="display:none">Secret one</p><p hidden>Secret two</p><p style="visibility:hidden">Secret three</p><p>Open</p>',
    async run({ read }) {
      const page = await read();
      expect(page).toContain('Open');
      expect(page).not.toContain('Secret');
    },
  },
  {
    title: 'the reading of what can be used leaves texts out',
    html: '<p>Just text</p><button>Use me</button>',
    async run({ read }) {
      const page = await read('interactive');
      expect(page).toContain('button "Use me"');
      expect(page).not.toContain('Just text');
    },
  },
  {
    title: 'half characters of a broken text do not break the reading',
    html: '<h1>Broken</h1><p id=p></p><script>p.textContent = "half \\ud83d and \\udc00 end"</script><button>Go on</button>',
    async run({ read, click }) {
      expect(await read()).toContain('Broken');
      expect(await click('Go on')).toMatch(/^Clicked/);
    },
  },
  {
    title: 'quotes of both kinds in a text are read as they stand',
    html: `<p>She said "Hello"</p><p>It's a day</p>`,
    async run({ use }) {
      const text = await use('get_page_text');
      expect(text).toContain('She said "Hello"');
      expect(text).toContain("It's a day");
    },
  },
  {
    title: 'the text of a page is cut where fewer characters were asked for',
    html: `<p>${'word '.repeat(1000)}</p>`,
    async run({ use }) {
      expect((await use('get_page_text', { max_chars: 100 })).length).toBeLessThanOrEqual(100);
    },
  },
  {
    title: 'a very large page is read within a limit that is asked for',
    html: `<ul>${Array.from({ length: 3000 }, (_, at) => `<li><a href="/${at}">Entry number ${at}</a></li>`).join('')}</ul>`,
    async run({ use }) {
      const text = await use('read_page', { max_chars: 5000 });
      expect(text.length).toBeLessThanOrEqual(5200);
      expect(text).toContain('Entry number 0');
    },
  },
  {
    title: 'wrong arguments are refused with the member, and nothing runs',
    html: '<h1>Here</h1>',
    async run({ use, page, url }) {
      expect(await use('navigate', {})).toMatch(/url/);
      expect(await use('navigate', { url: 7 })).toMatch(/url.*string/s);
      expect(await use('navigate', { url, tab: 2 })).toMatch(/tab/);
      expect(await use('computer', { action: 'explode' })).toMatch(/action/);
      expect(page().url()).toBe(url);
    },
  },

  {
    title: 'a text that comes later is waited for',
    html: `<button onclick="setTimeout(() => out.textContent = 'Text to appear', 300)">Begin</button><div id=out>Text to go</div>`,
    async run({ click, use, read }) {
      await click('Begin');
      expect(await use('wait', { text: 'Text to appear', seconds: 10 })).toBe('“Text to appear” is there.');
      expect(await read()).toContain('Text to appear');
    },
  },
  {
    title: 'a text that goes later is waited for',
    html: `<button onclick="setTimeout(() => out.textContent = '', 300)">Begin</button><div id=out>Text to go</div>`,
    async run({ click, use }) {
      await click('Begin');
      expect(await use('wait', { text: 'Text to go', hidden: true, seconds: 10 })).toMatch(/gone/);
    },
  },
  {
    title: 'a text in a frame is waited for',
    html: `<iframe srcdoc="<p id=p></p><script>setTimeout(() => p.textContent = 'Inner text', 200)</script>"></iframe>`,
    async run({ use }) {
      expect(await use('wait', { text: 'Inner text', seconds: 10 })).toContain('is there');
    },
  },
  {
    title: 'a text that does not come is an error that names it and the time',
    html: '<p>Nothing</p>',
    async run({ use }) {
      expect(await use('wait', { text: 'Godot', seconds: 1 })).toMatch(/^Error: .*Godot.*1 s/s);
    },
  },
  {
    title: 'a text that does not go is an error that names it',
    html: '<p>Stays</p>',
    async run({ use }) {
      expect(await use('wait', { text: 'Stays', hidden: true, seconds: 1 })).toMatch(/^Error: .*Stays/s);
    },
  },
  {
    title: 'some time is waited',
    html: '<p>Here</p>',
    async run({ use }) {
      expect(await use('wait', { seconds: 0.2 })).toMatch(/0\.2/);
    },
  },
  {
    title: 'waiting for nothing is refused',
    html: '<p>Here</p>',
    async run({ use }) {
      expect(await use('wait', {})).toMatch(/expected text or seconds/);
    },
  },

  {
    title: 'a script gives the value of its last expression',
    html: '<title>Named</title>',
    async run({ use }) {
      expect(await use('javascript_tool', { expression: 'document.title' })).toBe('Named');
    },
  },
  {
    title: 'a script gives an object as JSON',
    html: '<p>x</p>',
    async run({ use }) {
      expect(JSON.parse(await use('javascript_tool', { expression: '({ a: 1, list: [true, null] })' }))).toEqual({
        a: 1,
        list: [true, null],
      });
    },
  },
  {
    title: 'a script that is a function is called',
    html: '<title>Named</title>',
    async run({ use }) {
      expect(await use('javascript_tool', { expression: '() => document.title' })).toBe('Named');
    },
  },
  {
    title: 'a script that throws is an error with what it threw',
    html: '<p>x</p>',
    async run({ use }) {
      expect(await use('javascript_tool', { expression: 'document.nothing.here' })).toMatch(
        /^Error: The script threw: TypeError/,
      );
    },
  },

  {
    title: 'a picture is of the view, and as large',
    html: '<h1 style="height:3000px">Tall</h1>',
    async run({ call }) {
      const { text, parts } = await call('computer', { action: 'screenshot' });
      expect(parts[1]).toMatchObject({ kind: 'image', mediaType: 'image/png' });
      expect(text).toMatch(/1280 x 800/);
    },
  },
  {
    title: 'a picture of a region is of that region, enlarged',
    html: '<h1>Hello</h1>',
    async run({ call }) {
      const { text, parts } = await call('computer', { action: 'zoom', region: [0, 0, 200, 100] });
      expect(parts[1]).toMatchObject({ kind: 'image' });
      expect(text).toMatch(/400 x 200/);
    },
  },
  {
    title: 'a picture of a region without the region is refused',
    html: '<h1>Hello</h1>',
    async run({ use }) {
      expect(await use('computer', { action: 'zoom' })).toBe('zoom needs its region: left, top, right and bottom.');
    },
  },
  {
    title: 'the view gets another size, and the page hears of it',
    isAlone: true,
    html: '<script>addEventListener("resize", () => document.title = innerWidth + "x" + innerHeight)</script>',
    async run({ use, value }) {
      expect(await use('set_viewport', { width: 390, height: 780 })).toContain('390 x 780');
      expect(await value('[innerWidth, innerHeight]')).toEqual([390, 780]);
    },
  },
  {
    title: 'a size that no view has is refused with the limit',
    html: '<p>x</p>',
    async run({ use }) {
      expect(await use('set_viewport', { width: 0, height: 780 })).toMatch(/width.*200/s);
    },
  },
];
