import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
let session: StagedSession;
let lists: string;
beforeAll(async () => {
  stage = await openBrowserStage();
  session = await stage.newSession();
  lists = stage.page('/lists', LISTS);
});
afterAll(() => stage.stop());

/** Opens a button's list; an option writes its text on the button. */
const OPENS = `button.onclick = () => { list.hidden = !list.hidden; button.setAttribute('aria-expanded', !list.hidden); };
  list.onclick = ({ target }) => { button.textContent = target.textContent; button.onclick(); };`;

const LISTS = `
<select id="city"><option>Choose one</option><option>New&nbsp;York</option><option disabled>Atlantis</option>
  <optgroup label="England"><option>York</option></optgroup><optgroup label="Maine"><option>York</option></optgroup></select>
<select id="late"></select><script>setTimeout(() => document.querySelector('#late').append(new Option('Later')), 400)</script>
<select id="toppings" multiple><option selected>Ham</option><option>Olives</option><option>Corn</option></select>

<button id="size" aria-haspopup="listbox" aria-expanded="false">Size</button>
<ul id="sizes" role="listbox" hidden><li role="option">Small</li><li role="option">Large&nbsp;one</li><li role="option" aria-disabled="true">Tiny</li></ul>
<script>{ const [button, list] = [size, sizes]; ${OPENS} }</script>

<button id="colour" aria-haspopup="listbox" aria-expanded="false">Red</button>
<ul id="colours" role="listbox" hidden><li role="option">Red</li><li role="option">Blue</li></ul>
<script>{ const [button, list] = [colour, colours]; ${OPENS}
  list.addEventListener('click', () => setTimeout(() => (button.textContent = 'Red'))); }</script>

<div id="plain" style="width: 9em">Speed</div><ul id="speeds" hidden><li>Slow</li><li>Fast</li></ul>
<script>{ const [button, list] = [plain, speeds]; ${OPENS} }</script>

<input id="country" role="combobox" aria-autocomplete="list" aria-controls="countries" aria-expanded="false" aria-label="Country">
<ul id="countries" role="listbox"></ul>
<script>{
  let asked = 0;
  country.onkeyup = () => { const now = ++asked; setTimeout(() => {
    if (now !== asked) return;
    const fitting = ['Norway', 'Sweden', 'Niger'].filter((each) => each.toLowerCase().startsWith(country.value.toLowerCase()));
    countries.innerHTML = country.value === '' ? '' : fitting.map((each) => '<li role="option">' + each + '</li>').join('');
    country.setAttribute('aria-expanded', countries.innerHTML !== '');
  }, 100); };
  countries.onclick = ({ target }) => { country.value = target.textContent; countries.innerHTML = ''; country.setAttribute('aria-expanded', false); };
}</script>

<div id="open"><span id="shade">Pick</span><input id="shades" role="combobox" aria-expanded="true" aria-controls="shade-list" aria-label="Shade" style="width: 40px"></div>
<div><div role="listbox" id="shade-list" style="height: 0; width: 0; overflow: hidden"><div role="option">Amber</div></div><div id="drawn"><div>Amber</div><div>Coral</div></div></div>
<script>drawn.onclick = ({ target }) => { shade.textContent = target.textContent; shades.setAttribute('aria-expanded', false); drawn.hidden = true; }</script>

<div id="rows" role="listbox" style="height: 100px; overflow: auto"><div style="height: 20000px; position: relative"></div></div>
<script>{
  let chosen;
  const draw = () => {
    const first = Math.floor(rows.scrollTop / 20);
    rows.firstElementChild.innerHTML = Array.from({ length: 8 }, (_, n) =>
      '<div role="option" style="position: absolute; height: 20px; top: ' + (first + n) * 20 + 'px" aria-selected="' + (chosen === 'Row ' + (first + n)) + '">Row ' + (first + n) + '</div>').join('');
  };
  rows.onscroll = draw; draw();
  rows.onclick = ({ target }) => { chosen = target.textContent; draw(); };
}</script>

<div id="tags" role="listbox" aria-multiselectable="true">
  <div role="option" aria-selected="true">One</div><div role="option" aria-selected="false">Two</div><div role="option" aria-selected="false">Three</div></div>
<script>tags.onclick = ({ target, ctrlKey }) => { for (const each of tags.children) {
  if (each === target) each.ariaSelected = ctrlKey ? each.ariaSelected !== 'true' : true; else if (!ctrlKey) each.ariaSelected = false; } }</script>

<div id="app"><button id="unit" aria-haspopup="listbox" aria-expanded="false" aria-label="Unit">Inch</button></div>
<ul id="units" role="listbox" hidden><li role="option">Inch</li><li role="option">Metre</li></ul>
<script>{ const [button, list] = [unit, units]; ${OPENS}
  new MutationObserver(() => app.setAttribute('aria-hidden', !units.hidden)).observe(units, { attributes: true }); }</script>

<fieldset id="plan"><label><input type="radio" name="plan" value="basic">Basic</label><label><input type="radio" name="plan" value="pro" style="opacity: 0">Pro&nbsp;plus</label></fieldset>
<div id="align" role="group"><button aria-pressed="true">Left</button><button aria-pressed="false">Right</button></div>
<script>align.onclick = ({ target }) => { for (const each of align.children) each.ariaPressed = each === target; }</script>

<div id="order">Popular</div><div id="orders"><ul role="listbox"><li role="option">Popular</li><li role="option">Cheapest</li></ul></div>
<script>orders.onclick = ({ target }) => { order.textContent = target.textContent; orders.innerHTML = ''; };</script>

<button id="more" aria-haspopup="menu" aria-expanded="false">More</button>
<div id="menu" role="menu" hidden><div role="menuitem">Rename</div><div role="menuitem" aria-haspopup="menu">Export<div role="menu" hidden><div role="menuitem">As PDF</div></div></div></div>
<script>
  more.onclick = () => { menu.hidden = !menu.hidden; more.setAttribute('aria-expanded', !menu.hidden); };
  menu.onpointerover = ({ target }) => { const inner = target.querySelector('[role=menu]'); if (inner) inner.hidden = false; };
  menu.onclick = ({ target }) => { if (target.children.length === 0) { document.title += ' ' + target.textContent; more.onclick(); } };
</script>`;

/** What the page reads as chosen, by the expression. */
const chosen = (expression: string): Promise<unknown> => session.page().evaluate(expression);
const selected = (list: string): string =>
  `[...document.querySelectorAll('${list} [aria-selected=true]')].map((each) => each.textContent).join()`;
const native = (list: string): string =>
  `[...document.querySelector('${list}').selectedOptions].map((each) => each.text).join()`;

test.each([
  ['whatever its white space and case', { selector: '#city', option: 'new york' }, `city.selectedIndex`, 1],
  ['by its group, among equals', { selector: '#city', option: 'Maine > York' }, `city.selectedIndex`, 4],
  ['that comes a moment later', { selector: '#late', option: 'later' }, native('#late'), 'Later'],
  ['of several', { selector: '#toppings', options: ['Olives', 'corn'] }, native('#toppings'), 'Olives,Corn'],
  ['added to others', { selector: '#toppings', options: ['Corn'], mode: 'add' }, native('#toppings'), 'Ham,Corn'],
  ['taken from others', { selector: '#toppings', options: ['Ham'], mode: 'remove' }, native('#toppings'), ''],
  ['or none', { selector: '#toppings', options: [] }, native('#toppings'), ''],
  ['of a list that a button opens', { selector: '#size', option: 'large one' }, `size.textContent`, 'Large\u00a0one'],
  ['of a list without any roles', { selector: '#plain', option: 'fast' }, `plain.textContent`, 'Fast'],
  [
    'of a combobox that asks a server for what is typed',
    { selector: '#country', option: 'Niger' },
    `country.value`,
    'Niger',
  ],
  ['drawn beside a list for screen readers', { selector: '#shades', option: 'Coral' }, `shade.textContent`, 'Coral'],
  ['of a list that draws only what is in view', { selector: '#rows', option: 'Row 121' }, selected('#rows'), 'Row 121'],
  [
    'of a list behind which the page is hidden from assistive technology',
    { selector: 'role=button[name="Unit"]', option: 'Metre' },
    `unit.textContent`,
    'Metre',
  ],
  [
    'of an open list that goes away with it',
    { selector: '#orders ul', option: 'Cheapest' },
    `order.textContent`,
    'Cheapest',
  ],
  ['alone where several can be', { selector: '#tags', option: 'Two' }, selected('#tags'), 'Two'],
  ['with others, by Control', { selector: '#tags', options: ['Two', 'Three'] }, selected('#tags'), 'Two,Three'],
  [
    'beside what is chosen, by Control',
    { selector: '#tags', options: ['Three'], mode: 'add' },
    selected('#tags'),
    'One,Three',
  ],
  [
    'of radio buttons, one of them invisible under its label',
    { selector: '#plan', option: 'pro plus' },
    `plan.querySelector('[value=pro]').checked`,
    true,
  ],
  [
    'of buttons that stay pressed',
    { selector: '#align', option: 'right' },
    `align.querySelector('[aria-pressed=true]').textContent`,
    'Right',
  ],
] as const)('chooses an option %s', async (_, parameters, expression, expected) => {
  await session.open(lists);
  await session.did([a('SELECT_OPTION', parameters as never)]);
  expect(await chosen(expression)).toBe(expected);
});

test.each([
  ['equals that are alike', { selector: '#city', option: 'York' }, 'There are several options “York”'],
  ['a disabled option', { selector: '#city', option: 'Atlantis' }, 'The option “Atlantis” is disabled'],
  [
    'an option that is not there',
    { selector: '#size', option: 'Huge' },
    'There is no option “Huge”; the options are “Small”, “Large one”, “Tiny”.',
  ],
  [
    'a choice that the page takes back',
    { selector: '#colour', option: 'Blue' },
    '“Blue” was chosen, but the control shows “red” now.',
  ],
  ['an item of a menu', { selector: '#more', option: 'Rename' }, 'use CHOOSE_MENU_ITEM'],
  [
    'two options of a list that takes one',
    { selector: '#city', options: ['Choose one', 'New York'] },
    'This list takes one option',
  ],
  [
    'a disabled option of a list that a button opens',
    { selector: '#size', option: 'Tiny' },
    'The option “Tiny” is disabled',
  ],
])('fails to choose %s, says so, and leaves no list open', async (_, parameters, message) => {
  await session.open(lists);
  const { outcomes } = await session.run([a('SELECT_OPTION', parameters)]);
  expect(outcomes[0]).toMatchObject({ status: 'failed' });
  expect(outcomes[0]!.message).toContain(message);
  expect(await session.page().locator('button[aria-expanded=true]').count()).toBe(0);
});

test('chooses an item of a submenu, once', async () => {
  await session.open(lists);
  await session.did([a('CHOOSE_MENU_ITEM', { selector: '#more', path: ['export', 'as pdf'] })]);
  expect(await session.page().title()).toBe('/lists As PDF');
});
