import type { Scenario } from './scenario';

const FIELD = `<form onsubmit="event.preventDefault(); document.title = 'sent ' + f.value"><label>Name <input id=f></label></form>
  <script>window.keys = []; f.addEventListener('keydown', ({ key }) => keys.push(key)); f.addEventListener('input', () => window.inputs = (window.inputs ?? 0) + 1)</script>`;
const F = 'document.querySelector("#f").value';

export const filling: Scenario[] = [
  {
    title: 'a field is filled, and what stood in it is replaced',
    html: FIELD.replace('id=f', 'id=f value="Old"'),
    async run({ fill, value }) {
      expect(await fill('Name', 'Hi!')).toContain('Hi!');
      expect(await value(F)).toBe('Hi!');
    },
  },
  {
    title: 'a field that is filled fires its events',
    html: FIELD,
    async run({ fill, value }) {
      await fill('Name', 'Hi!');
      expect(await value<number>('window.inputs')).toBeGreaterThan(0);
    },
  },
  {
    title: 'typed text arrives as single keys where the focus is',
    html: FIELD,
    async run({ ref, use, value }) {
      await use('computer', { action: 'left_click', ref: await ref('Name') });
      await use('computer', { action: 'type', text: 'Hi!' });
      expect(await value(F)).toBe('Hi!');
      expect(await value('keys.filter((key) => key.length === 1).join("")')).toBe('Hi!');
    },
  },
  {
    title: 'Enter in a field sends its form',
    html: FIELD,
    async run({ fill, ref, use, page }) {
      await fill('Name', 'Ada');
      await use('computer', { action: 'key', text: 'Enter', ref: await ref('Name') });
      expect(await page().title()).toBe('sent Ada');
    },
  },
  {
    title: 'without Enter nothing is sent',
    html: FIELD,
    async run({ fill, page }) {
      await fill('Name', 'Ada');
      expect(await page().title()).not.toContain('sent');
    },
  },
  {
    title: 'an empty text clears a field',
    html: FIELD.replace('id=f', 'id=f value="Old"'),
    async run({ fill, value }) {
      await fill('Name', '');
      expect(await value(F)).toBe('');
    },
  },
  ...(
    [
      ['a number field', '<input id=f type=number>', 42, '42'],
      ['an e-mail field', '<input id=f type=email>', 'ada@shop.test', 'ada@shop.test'],
      ['a text area, with its lines', '<textarea id=f></textarea>', 'one\ntwo', 'one\ntwo'],
      ['a date field', '<input id=f type=date>', '2026-03-04', '2026-03-04'],
      ['a time field', '<input id=f type=time>', '13:45', '13:45'],
      ['a colour field', '<input id=f type=color>', '#336699', '#336699'],
      ['a slider', '<input id=f type=range min=0 max=100 value=10>', 75, '75'],
      ['a password field', '<input id=f type=password>', 'open sesame', 'open sesame'],
      ['a field with signs of other scripts', '<input id=f>', 'Zoë 東京 🌊', 'Zoë 東京 🌊'],
    ] as const
  ).map(([what, markup, given, expected]): Scenario => ({
    title: `${what} is filled`,
    html: `<label>Value ${markup}</label>`,
    async run({ fill, value }) {
      expect(await fill('Value', given)).not.toMatch(/^Error/);
      expect(await value(F)).toBe(expected);
    },
  })),
  {
    title: 'an editable region is filled',
    html: '<div contenteditable role=textbox aria-label="Note">Old</div>',
    async run({ fill, value }) {
      await fill('Note', 'New');
      expect(await value('document.querySelector("[contenteditable]").innerText.trim()')).toBe('New');
    },
  },
  ...(
    [
      ['checks a box', '<input type=checkbox id=f>', true, true],
      ['leaves a box checked that is', '<input type=checkbox id=f checked>', true, true],
      ['unchecks a box', '<input type=checkbox id=f checked>', false, false],
      ['chooses a radio button', '<input type=radio id=f name=r>', true, true],
      ['turns on a switch', '<input type=checkbox role=switch id=f>', 'on', true],
    ] as const
  ).map(([what, markup, given, expected]): Scenario => ({
    title: `form_input ${what}`,
    html: `<label>${markup} Choice</label>`,
    async run({ fill, value }) {
      expect(await fill('Choice', given)).not.toMatch(/^Error/);
      expect(await value('document.querySelector("#f").checked')).toBe(expected);
    },
  })),
  {
    title: 'a box is neither checked nor unchecked by a word that says neither',
    html: '<label><input type=checkbox> Choice</label>',
    async run({ fill, value }) {
      expect(await fill('Choice', 'perhaps')).toMatch(/give true or false, got “perhaps”/);
      expect(await value('document.querySelector("input").checked')).toBe(false);
    },
  },
  {
    title: 'several fields of a form are filled one after the other, with refs of one reading',
    html: '<form><label>Name <input></label><label>Age <input type=number></label><label><input type=checkbox> News</label><label>Size <select><option>S<option>M</select></label></form>',
    async run({ read, use, value }) {
      const page = await read();
      const refOfName = (name: string) => new RegExp(`"${name}[^"]*"[^\\n]*?\\[ref=(\\w+)\\]`).exec(page)![1];
      await use('form_input', { ref: refOfName('Name'), value: 'Ada' });
      await use('form_input', { ref: refOfName('Age'), value: 36 });
      await use('form_input', { ref: refOfName('News'), value: true });
      await use('form_input', { ref: refOfName('Size'), value: 'M' });
      expect(
        await value(
          '[...document.forms[0].elements].map((each) => each.type === "checkbox" ? each.checked : each.value)',
        ),
      ).toEqual(['Ada', '36', true, 'M']);
    },
  },
  ...(
    [
      ['a field that can only be read', '<input readonly value="Fixed">'],
      ['a field that is disabled', '<input disabled value="Fixed">'],
    ] as const
  ).map(([what, markup]): Scenario => ({
    title: `${what} is an error, and keeps what it has`,
    html: `<label>Value ${markup}</label>`,
    async run({ fill, value }) {
      expect(await fill('Value', 'New')).toMatch(/^Error: /);
      expect(await value('document.querySelector("input").value')).toBe('Fixed');
    },
  })),
  {
    title: 'a button is no field, which is an error',
    html: '<button>Send</button>',
    async run({ fill }) {
      expect(await fill('Send', 'text')).toMatch(/^Error: /);
    },
  },
];

const LIST =
  '<label>Fruit <select id=f><option value=a>Apple<option value=b>Banana<option value=c disabled>Cherry</select></label>';
const MANY = LIST.replace('<select', '<select multiple');
const CHOSEN = '[...document.querySelector("#f").selectedOptions].map(({ text }) => text)';

export const choosing: Scenario[] = [
  {
    title: 'an option is chosen by its label',
    html: LIST,
    async run({ fill, value }) {
      expect(await fill('Fruit', 'Banana')).toContain('Banana');
      expect(await value(CHOSEN)).toEqual(['Banana']);
    },
  },
  {
    title: 'several options of a list are chosen at once',
    html: MANY,
    async run({ ref, use, value }) {
      await use('choose', { ref: await ref('Fruit'), options: ['Apple', 'Banana'] });
      expect(await value(CHOSEN)).toEqual(['Apple', 'Banana']);
    },
  },
  {
    title: 'an option is added to those that are chosen, and one is taken away',
    html: MANY,
    async run({ ref, use, value }) {
      const list = await ref('Fruit');
      await use('choose', { ref: list, options: ['Apple'] });
      await use('choose', { ref: list, options: ['Banana'], mode: 'add' });
      expect(await value(CHOSEN)).toEqual(['Apple', 'Banana']);
      await use('choose', { ref: list, options: ['Apple'], mode: 'remove' });
      expect(await value(CHOSEN)).toEqual(['Banana']);
    },
  },
  {
    title: 'an option that the list does not have is an error that names those that it has',
    html: LIST,
    async run({ fill, value }) {
      expect(await fill('Fruit', 'Durian')).toMatch(/^Error: .*Apple.*Banana/s);
      expect(await value(CHOSEN)).toEqual(['Apple']);
    },
  },
  {
    title: 'an option that is disabled is an error, and is not chosen',
    html: LIST,
    async run({ fill, value }) {
      expect(await fill('Fruit', 'Cherry')).toMatch(/^Error: /);
      expect(await value(CHOSEN)).toEqual(['Apple']);
    },
  },
  {
    title: 'an option that is chosen fires the event of its list',
    html: LIST.replace('id=f', 'id=f onchange="document.title = this.value"'),
    async run({ fill, page }) {
      await fill('Fruit', 'Banana');
      expect(await page().title()).toBe('b');
    },
  },
];
