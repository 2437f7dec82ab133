import { chromium, type Browser, type Page as BrowserPage } from 'playwright';
import { parseInstruction } from '../../../../../rules/language/parse-instruction';
import { indexPage, nearestNamed } from '../../../../../rules/matching/page-index';
import { resolve } from '../../../../../rules/matching/resolve';
import type { PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';

let browser: Browser;
let tab: BrowserPage;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  tab = await browser.newPage();
});
afterAll(() => browser.close());

async function lookAt(html: string): Promise<PageSnapshot> {
  await tab.setContent(`<title>Test</title>${html}`);
  const nodes = (await tab.ariaSnapshotJSON({ mode: 'ai' })) as PageSnapshot['nodes'];
  return { snapshotId: 'look', url: 'https://shop.test/', title: 'Test', tabs: [], nodes };
}

/** What the last action of an instruction comes to: each command with the id of the element it is about. */
async function done(html: string, instruction: string): Promise<unknown> {
  const look = await lookAt(html);
  const parsed = parseInstruction(instruction);
  if (parsed.kind === 'unknown') throw new Error(`not understood: ${parsed.clause}`);
  const action = parsed.actions.at(-1);
  if (!action) throw new Error('no action');
  const resolution = resolve(action, indexPage(look), parsed.actions.at(-2));
  if (resolution.kind !== 'commands') return resolution.kind;
  const lines = await Promise.all(
    resolution.commands.map(async ({ action: kind, parameters: { selector, ...rest } }) => {
      const id =
        selector && (await tab.locator(`aria-ref=${selector.slice('ref='.length)}`).evaluate((element) => element.id));
      return [kind, ...(id === undefined ? [] : [`#${id}`]), ...Object.values(rest)].join(' ');
    }),
  );
  return lines.join(', ');
}

const FORM = `
  <h1>Account</h1>
  <form>
    <label for="name">Full name *</label><input id="name" value="Ada">
    <label>Email <input id="email" type="email" placeholder="you@example.com"></label>
    <input id="phone" placeholder="Phone number">
    <div><span>Nickname:</span><input id="nick"></div>
    <label>Notes <textarea id="notes"></textarea></label>
    <label>Size <select id="size"><option>Small</option><option>Medium</option><option>Extra large</option></select></label>
    <label>Colour <select id="colour"><option>Red</option><option>Blue</option></select></label>
    <fieldset><legend>Shipping</legend>
      <label><input id="standard" type="radio" name="s" checked> Standard (free)</label>
      <label><input id="express" type="radio" name="s"> Express (5.00)</label>
    </fieldset>
    <label><input id="terms" type="checkbox"> I agree to the <a id="terms-link" href="/terms">terms</a></label>
    <button id="dark" type="button" role="switch" aria-checked="false">Dark mode</button>
    <div id="bio" contenteditable="true" role="textbox" aria-label="Biography">Hello</div>
    <button id="save" type="button">Save</button>
    <button id="save-as" type="button">Save as draft</button>
    <button id="pay-off" type="button" disabled>Pay</button><button id="pay" type="button">Pay</button>
  </form>
  <section aria-label="Billing"><label>Email <input id="billing-email"></label></section>
  <h2 id="gift-heading">Gift</h2><label>Message <input id="gift"></label>
  <h2>Return</h2><label>Message <input id="return"></label>`;

const SHOP = `
  <nav><ul><li><a id="home" href="/">Home</a></li><li><a id="cart" href="/cart">Cart (2)</a></li></ul></nav>
  <a id="logo" href="/">Home</a>
  <main>
    <h1 id="title">Trail Shoe</h1>
    <form role="search"><input id="search" type="search" placeholder="Search products"><button id="go" type="button">Search</button></form>
    <table><caption>Basket</caption>
      <tr><th>Item</th><th>Price</th><th></th></tr>
      <tr id="trail"><td>Trail Shoe</td><td id="trail-price">90.00</td><td><button id="delete-trail">Delete</button></td></tr>
      <tr><td>Road Shoe</td><td>80.00</td><td><button id="delete-road">Delete</button></td></tr>
      <tr><td>Row 17</td><td>1.00</td><td><button id="delete-17">Delete</button></td></tr>
    </table>
    <ul>
      <li id="result-1"><a id="tent" href="/tent"><h3>Red tent</h3><p>120.00</p></a> <button id="add-tent">Add</button></li>
      <li id="result-2"><a id="lamp" href="/lamp">Lamp</a> <button id="add-lamp">Add</button></li>
    </ul>
    <p id="order">Order number: <strong id="number">SF-1001</strong></p>
    <dl><dt>Total</dt><dd id="total">171.00</dd></dl>
    <div><div><span>Delivery</span></div><div id="delivery">Tomorrow</div></div>
    <div id="card" onclick="1" style="cursor:pointer">Open the magic box</div>
    <div role="tablist"><div id="tab-orders" role="tab">Orders</div><div id="tab-profile" role="tab">Profile</div></div>
    <div role="listbox" id="fruit" aria-label="Fruit"><div role="option">Apple</div><div role="option">Pear</div></div>
    <button id="icon"><img alt="Bag" src="data:,"></button>
    <p id="note">Just a note</p>
  </main>`;

describe('finding the element that an instruction names', () => {
  test.each([
    ['type "x" into Full name', 'INPUT_TEXT #name x'],
    ['type "x" into the full NAME field', 'INPUT_TEXT #name x'],
    ['type "x" into "Phone number"', 'INPUT_TEXT #phone x'],
    ['type "x" into the field you@example.com', 'INPUT_TEXT #email x'],
    ['type "x" into Nickname', 'INPUT_TEXT #nick x'],
    ['type "x" into the Notes area', 'INPUT_TEXT #notes x'],
    ['type "x" into Biography', 'INPUT_TEXT #bio x'],
    ['type "x" into the Email field in Billing', 'INPUT_TEXT #billing-email x'],
    ['type "x" into the Email field in the Billing section', 'INPUT_TEXT #billing-email x'],
    ['type "x" into the second Email field', 'INPUT_TEXT #billing-email x'],
    ['type "x" into the first Email', 'INPUT_TEXT #email x'],
    ['type "x" into Message under Gift', 'INPUT_TEXT #gift x'],
    ['type "x" into the Message field below "Return"', 'INPUT_TEXT #return x'],
    ['type "x" into Email', 'several'],
    ['type "x" into Surname', 'absent'],
    ['clear Notes', 'INPUT_TEXT #notes '],
    ['type "x" into Nickname and press Enter', 'PRESS_KEY #nick Enter'],
    ['press Tab in the Notes field', 'PRESS_KEY #notes Tab'],
    ['set Notes to "x"', 'INPUT_TEXT #notes x'],
    ['set Size to medium', 'SELECT_OPTION #size Medium'],
    ['choose "Medium" in Size', 'SELECT_OPTION #size Medium'],
    ['select extra from the Size dropdown', 'SELECT_OPTION #size Extra large'],
    ['choose Blue', 'SELECT_OPTION #colour Blue'],
    ['choose "Huge" in Size', 'absent'],
    ['choose Express', 'SET_CHECKED #express true'],
    ['choose Express shipping', 'SET_CHECKED #express true'],
    ['choose the Express option', 'SET_CHECKED #express true'],
    ['choose "Express" in Shipping', 'SET_CHECKED #express true'],
    ['check "I agree to the terms"', 'SET_CHECKED #terms true'],
    ['tick the terms checkbox', 'SET_CHECKED #terms true'],
    ['turn on Dark mode', 'SET_CHECKED #dark true'],
    ['click the terms link', 'CLICK_ELEMENT #terms-link'],
    ['click Save', 'CLICK_ELEMENT #save'],
    ['click Save as', 'CLICK_ELEMENT #save-as'],
    ['click Pay', 'CLICK_ELEMENT #pay'],
    ['scroll to the Gift heading', 'SCROLL #gift-heading element'],
    ['save Full name as name', 'SAVE_VARIABLE #name name'],
  ])('in a form: %s', async (instruction, expected) => {
    expect(await done(FORM, instruction)).toBe(expected);
  });

  test.each([
    ['click the Delete button next to Trail Shoe', 'CLICK_ELEMENT #delete-trail'],
    ['click Delete in the row of Road Shoe', 'CLICK_ELEMENT #delete-road'],
    ['click "Delete" in the row "Row 17"', 'CLICK_ELEMENT #delete-17'],
    ['click Delete for Row 17', 'CLICK_ELEMENT #delete-17'],
    ['click the second Delete button', 'CLICK_ELEMENT #delete-road'],
    ['click the last Delete', 'CLICK_ELEMENT #delete-17'],
    ["click the 2nd row's Delete", 'CLICK_ELEMENT #delete-road'],
    ['click the Road Shoe’s Delete button', 'CLICK_ELEMENT #delete-road'],
    ['click Delete', 'several'],
    ['click Add beside Lamp', 'CLICK_ELEMENT #add-lamp'],
    ['open the Red tent', 'CLICK_ELEMENT #tent'],
    ['open Lamp', 'CLICK_ELEMENT #lamp'],
    ['click the first result', 'CLICK_ELEMENT #tent'],
    ['click the Home link', 'CLICK_ELEMENT #home'],
    ['go to the cart', 'CLICK_ELEMENT #cart'],
    ['click the magic box', 'CLICK_ELEMENT #card'],
    ['click Just a note', 'CLICK_ELEMENT #note'],
    ['click the Bag button', 'CLICK_ELEMENT #icon'],
    ['choose the Profile tab', 'CLICK_ELEMENT #tab-profile'],
    ['go to the Orders tab', 'CLICK_ELEMENT #tab-orders'],
    ['switch to the "Terms" tab', 'SWITCH_TAB Terms'],
    ['choose Pear from Fruit', 'SELECT_OPTION #fruit Pear'],
    ['search for "tent"', 'INPUT_TEXT #search tent, CLICK_ELEMENT #go'],
    ['press Enter in the search field', 'PRESS_KEY #search Enter'],
    ['save the Order number as order', 'SAVE_VARIABLE #number order'],
    ['save the Total as total', 'SAVE_VARIABLE #total total'],
    ['save Delivery as day', 'SAVE_VARIABLE #delivery day'],
    ['save the Price of Trail Shoe as price', 'SAVE_VARIABLE #trail-price price'],
    ['save the heading as h', 'SAVE_VARIABLE #title h'],
    ['check that the Total shows 171', 'EXPECT #total 171'],
    ['check that the Order number contains SF-', 'EXPECT #number SF-'],
    ['check that the heading says "Trail"', 'EXPECT #title Trail'],
    ['click Checkout', 'absent'],
  ])('in a shop: %s', async (instruction, expected) => {
    expect(await done(SHOP, instruction)).toBe(expected);
  });

  test('finds what is inside frames and shadow roots', async () => {
    const html = `<iframe srcdoc="<button id=framed>Pay now</button>"></iframe><x-a></x-a><script>
      customElements.define('x-a', class extends HTMLElement { constructor() { super();
        this.attachShadow({ mode: 'open' }).innerHTML = '<button id=shadowed>Help</button>'; } })</script>`;
    expect(await done(html, 'click Help')).toBe('CLICK_ELEMENT #shadowed');
    expect(await done(html, 'click Pay now')).toBe('CLICK_ELEMENT #framed');
  });

  test('takes the only button below the fields for the one that sends them, where it says nothing but OK', async () => {
    const fields = '<label>Username <input id="name"></label><label>Password <input type="password"></label>';
    expect(await done(`${fields}<button id="ok">OK</button>`, 'press login')).toBe('CLICK_ELEMENT #ok');
    expect(await done(`${fields}<button id="ok">OK</button>`, 'click Delete')).toBe('absent');
    expect(await done(`${fields}<button id="show">Show password</button>`, 'press login')).toBe('absent');
    expect(await done(`${fields}<button id="ok">OK</button><button>Cancel</button>`, 'press login')).toBe('absent');
    expect(await done(`<button id="ok">OK</button>${fields}`, 'press login')).toBe('absent');
  });

  test('prefers the dialog when the page behind it has the same button', async () => {
    const html = `<button id="behind">OK</button><div role="dialog" aria-label="Sure?"><button id="front">OK</button></div>`;
    expect(await done(html, 'click OK')).toBe('CLICK_ELEMENT #front');
  });

  test('assigns labels to the nearest controls of one row', async () => {
    const html = `<div><span>Red</span><button id="red">Buy</button><span>Blue</span><button id="blue">Buy</button></div>`;
    expect(await done(html, 'click Buy next to Red')).toBe('CLICK_ELEMENT #red');
    expect(await done(html, 'click Buy next to Blue')).toBe('CLICK_ELEMENT #blue');
  });

  test('a button that opens a list is chosen in, and what follows “then” is clicked', async () => {
    const nodes: PageSnapshot['nodes'] = [
      { role: 'button', name: 'Assignee Ada', ref: 'e1', states: ['popup=listbox'], expanded: false },
      { role: 'button', name: 'Account', ref: 'e2', states: ['popup'], expanded: false },
      { role: 'button', name: 'Move', ref: 'e3' },
    ];
    const page = indexPage({ snapshotId: 'look', url: 'https://shop.test/', title: '', tabs: [], nodes });
    const last = (instruction: string) => {
      const parsed = parseInstruction(instruction);
      return parsed.kind === 'unknown' ? parsed : resolve(parsed.actions.at(-1)!, page);
    };
    expect(last('choose "Grace" as Assignee')).toMatchObject({
      commands: [{ action: 'SELECT_OPTION', parameters: { selector: 'ref=e1', option: 'Grace' } }],
    });
    expect(last('choose Grace and Alan as Assignee')).toMatchObject({
      commands: [{ action: 'SELECT_OPTION', parameters: { selector: 'ref=e1', options: ['Grace', 'Alan'] } }],
    });
    expect(last('choose "Grace and Alan" as Assignee')).toMatchObject({
      commands: [{ parameters: { option: 'Grace and Alan' } }],
    });
    expect(last('choose "Grace" as Account')).toMatchObject({ kind: 'absent' });
    expect(last('click Account and then Move')).toMatchObject({
      commands: [{ action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e3' } }],
    });
  });

  test('leaves to an open list of which only some options are known what it has', () => {
    const combobox = (name: string, ref: string, ...options: string[]) => ({
      role: 'combobox',
      name,
      ref,
      expanded: options.length > 0,
      states: ['popup=listbox'],
      ...(options.length > 0 && {
        children: [{ role: 'listbox', children: options.map((option) => ({ role: 'option', name: option })) }],
      }),
    });
    const nodes: PageSnapshot['nodes'] = [combobox('City', 'e1', 'Lima', 'Oslo Airport'), combobox('Colours', 'e2')];
    const page = indexPage({ snapshotId: 'look', url: 'https://shop.test/', title: '', tabs: [], nodes });
    const chosen = (instruction: string) => {
      const parsed = parseInstruction(instruction);
      const resolution = parsed.kind === 'actions' ? resolve(parsed.actions.at(-1)!, page) : undefined;
      return resolution?.kind === 'commands' ? resolution.commands[0]!.parameters : resolution?.kind;
    };
    expect(chosen('choose "Quito" in City')).toEqual({ selector: 'ref=e1', option: 'Quito' });
    expect(chosen('choose "Oslo" in City')).toEqual({ selector: 'ref=e1', option: 'Oslo' });
    expect(chosen('choose "Lima" in City')).toEqual({ selector: 'ref=e1', option: 'Lima' });
    expect(chosen('choose "Amber" in Colours')).toEqual({ selector: 'ref=e2', option: 'Amber' });
  });

  test('finds a control by the words beside it in an entry, and a sign by its tooltip', () => {
    const entry = (word: string, ref: string) => ({
      role: 'listitem',
      ref: `${ref}0`,
      text: `${word} remove`,
      children: [{ role: 'link', name: 'remove', ref }],
    });
    const signs = ['Munich', 'Zurich'].map((description, at) => ({
      role: 'button',
      name: '●',
      description,
      ref: `e${at}`,
    }));
    const nodes: PageSnapshot['nodes'] = [entry('Milk', 'e7'), entry('Bread', 'e8'), ...signs];
    const page = indexPage({ snapshotId: 'look', url: 'https://shop.test/', title: '', tabs: [], nodes });
    const selectorOf = (instruction: string): unknown => {
      const parsed = parseInstruction(instruction);
      // A search for what is not shown stands before an action in a place.
      const resolution = parsed.kind === 'actions' ? resolve(parsed.actions.at(-1)!, page) : undefined;
      return resolution?.kind === 'commands' ? resolution.commands[0]!.parameters.selector : resolution?.kind;
    };
    expect(selectorOf('in the row Bread click remove')).toBe('ref=e8');
    expect(selectorOf('click Zurich')).toBe('ref=e1');
  });

  test('takes in place of a group that nothing could find again what is around it', () => {
    const line = { role: 'generic', ref: 'e3', children: [{ role: 'strong', text: 'done()' }] };
    const nodes = [{ role: 'code', ref: 'e1', children: [{ role: 'generic', ref: 'e2', children: [line] }] }];
    const page = indexPage({ snapshotId: 's', url: 'https://a.test/', title: '', tabs: [], nodes });
    expect(nearestNamed(page.items.at(-1)!)?.node?.ref).toBe('e1');
  });

  test('finds a price by its format when nothing is named so', async () => {
    expect(await done('<h1>Lamp</h1><p id="p">$45.00</p><p>400 lumens</p>', 'save the price as price')).toBe(
      'SAVE_VARIABLE #p price',
    );
    expect(await done('<p>$45.00</p><p>$46.00</p>', 'save the price as price')).toBe('several');
  });
});
