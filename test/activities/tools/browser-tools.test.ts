import { BROWSER_TOOLS, REMOTE_BROWSER_TOOLS } from '../../../contracts/tools/browser-tools';
import { ParametersByAction } from '../../../contracts/commands/commands';
import type { ConfirmationCard } from '../../../contracts/approvals/approval';
import type { PageNode } from '../../../contracts/browsers/page-snapshot';
import { toReplySchema } from '../../../activities/engine/models/replies/reply-schema';
import { toPortableSchema } from '../../../activities/engine/models/portable-schema';
import { aSnapshot, aPlanContext, commandOf, plan, refusalOf } from '../../support/planning';

const button = (name: string, ref: string): PageNode => ({ role: 'button', name, ref });
const PAGE = aSnapshot(
  'https://shop.test/cart',
  button('Buy now', 'e1'),
  button('Next', 'e2'),
  { role: 'textbox', name: 'Name', ref: 'e3' },
  { role: 'checkbox', name: 'Gift', ref: 'e4' },
  {
    role: 'combobox',
    name: 'Size',
    ref: 'e5',
    children: [
      { role: 'option', name: 'S' },
      { role: 'option', name: 'M' },
    ],
  },
  { role: 'button', name: 'Choose file', ref: 'e6' },
  { role: 'generic', ref: 'e7' },
  { role: 'link', name: 'Partner', ref: 'e8', url: 'https://elsewhere.test/offer' },
  { role: 'link', name: 'Terms', ref: 'e9', url: '/terms' },
);
const planning = aPlanContext({ look: PAGE });

test('[X.A8] the tools of the origin come first, in their order, and any vendor takes each of them', () => {
  expect(Object.keys(BROWSER_TOOLS).slice(0, 7)).toEqual([...REMOTE_BROWSER_TOOLS]);
  for (const { description, parameters } of Object.values(BROWSER_TOOLS)) {
    const schema = JSON.stringify(toPortableSchema(toReplySchema(parameters)));
    expect(schema).not.toMatch(/anyOf|oneOf|allOf|\$ref|minItems/);
    // Gemini refuses an object without members, except as the parameters themselves.
    expect(schema.slice(30)).not.toContain('"properties":{}');
    expect(description.length).toBeGreaterThan(20);
  }
});

test.each([
  ['read_page', { filter: 'interactive', max_chars: 100 }, 'READ_PAGE', { filter: 'interactive', maxCharacters: 100 }],
  ['find', { query: 'cart' }, 'FIND_ELEMENTS', { query: 'cart' }],
  ['get_page_text', {}, 'READ_TEXT', {}],
  ['navigate', { url: 'shop.test/a' }, 'OPEN_PAGE', { url: 'https://shop.test/a' }],
  ['navigate', { url: 'localhost:3000' }, 'OPEN_PAGE', { url: 'http://localhost:3000' }],
  ['navigate', { url: 'back' }, 'GO_BACK', {}],
  ['navigate', { url: 'forward' }, 'GO_FORWARD', {}],
  [
    'choose',
    { ref: 'e5', options: ['S', 'M'], mode: 'add' },
    'SELECT_OPTION',
    { selector: 'role=combobox[name="Size"s]', options: ['S', 'M'], mode: 'add' },
  ],
  [
    'menu',
    { ref: 'e2', path: ['File', 'Copy'] },
    'CHOOSE_MENU_ITEM',
    { selector: 'role=button[name="Next"s]', path: ['File', 'Copy'] },
  ],
  [
    'gesture',
    { action: 'drag', ref: 'e2', to_ref: 'e3' },
    'DRAG_ELEMENT',
    { selector: 'role=button[name="Next"s]', toSelector: 'role=textbox[name="Name"s]' },
  ],
  [
    'gesture',
    { action: 'drag', ref: 'e2', by: [10, 0] },
    'DRAG_ELEMENT',
    { selector: 'role=button[name="Next"s]', byX: 10, byY: 0 },
  ],
  [
    'gesture',
    { action: 'hold', ref: 'e2', seconds: 2 },
    'PRESS_AND_HOLD',
    { selector: 'role=button[name="Next"s]', seconds: 2 },
  ],
  [
    'gesture',
    { action: 'scroll_until', ref: 'e5', text: 'Z' },
    'SCROLL_UNTIL',
    { selector: 'role=combobox[name="Size"s]', text: 'Z' },
  ],
  ['form_input', { ref: 'e3', value: 'Ada' }, 'INPUT_TEXT', { selector: 'role=textbox[name="Name"s]', text: 'Ada' }],
  ['form_input', { ref: 'ref=e3', value: 7 }, 'INPUT_TEXT', { selector: 'role=textbox[name="Name"s]', text: '7' }],
  ['form_input', { ref: 'e4', value: true }, 'SET_CHECKED', { selector: 'role=checkbox[name="Gift"s]', checked: true }],
  [
    'form_input',
    { ref: 'e4', value: 'off' },
    'SET_CHECKED',
    { selector: 'role=checkbox[name="Gift"s]', checked: false },
  ],
  ['form_input', { ref: 'e5', value: 'M' }, 'SELECT_OPTION', { selector: 'role=combobox[name="Size"s]', option: 'M' }],
  ['computer', { action: 'left_click', ref: 'e2' }, 'CLICK_ELEMENT', { selector: 'role=button[name="Next"s]' }],
  [
    'computer',
    { action: 'double_click', ref: 'e2', modifiers: 'ctrl+shift' },
    'CLICK_ELEMENT',
    { selector: 'role=button[name="Next"s]', clicks: 2, modifiers: ['Control', 'Shift'] },
  ],
  ['computer', { action: 'right_click', coordinate: [3, 4] }, 'CLICK_POINT', { x: 3, y: 4, button: 'right' }],
  ['computer', { action: 'triple_click', coordinate: [3, 4] }, 'CLICK_POINT', { x: 3, y: 4, clicks: 3 }],
  ['computer', { action: 'type', text: 'hi' }, 'TYPE_TEXT', { text: 'hi' }],
  ['computer', { action: 'key', text: 'ctrl+a' }, 'PRESS_KEY', { key: 'Control+a' }],
  ['computer', { action: 'key', text: 'Return' }, 'PRESS_KEY', { key: 'Enter' }],
  ['computer', { action: 'screenshot' }, 'TAKE_SCREENSHOT', {}],
  ['computer', { action: 'zoom', region: [0, 0, 10, 10] }, 'TAKE_SCREENSHOT', { region: [0, 0, 10, 10] }],
  ['computer', { action: 'wait', duration: 2 }, 'WAIT_FOR', { seconds: 2 }],
  ['computer', { action: 'scroll', scroll_direction: 'up', scroll_amount: 5 }, 'SCROLL', { to: 'up', amount: 5 }],
  ['computer', { action: 'scroll_to', ref: 'e2' }, 'SCROLL', { to: 'element', selector: 'role=button[name="Next"s]' }],
  [
    'computer',
    { action: 'left_click_drag', start_coordinate: [1, 2], coordinate: [3, 4] },
    'DRAG',
    { x: 1, y: 2, toX: 3, toY: 4 },
  ],
  ['computer', { action: 'hover', ref: 'e2' }, 'HOVER', { selector: 'role=button[name="Next"s]' }],
  ['javascript_tool', { expression: 'document.title' }, 'RUN_SCRIPT', { script: 'document.title' }],
  ['tabs', {}, 'LIST_TABS', {}],
  ['tabs', { tab: 'last' }, 'SWITCH_TAB', { tab: 'last' }],
  ['wait', { text: 'Thanks', seconds: 3 }, 'WAIT_FOR', { text: 'Thanks', seconds: 3 }],
  ['dialogs', { accept: true, text: 'x' }, 'HANDLE_DIALOG', { accept: true, promptText: 'x' }],
  [
    'upload',
    { ref: 'e6', files: ['a.txt'] },
    'UPLOAD_FILE',
    { selector: 'role=button[name="Choose file"s]', files: ['a.txt'] },
  ],
  ['download', { url: 'https://shop.test/a.csv' }, 'DOWNLOAD_FILE', { url: 'https://shop.test/a.csv' }],
  ['extract', { fields: [{ name: 'total' }] }, 'EXTRACT', { fields: [{ name: 'total' }] }],
] as const)('%s %j is the one command %s', async (name, args, action, parameters) => {
  const command = await commandOf(planning, name, args);
  expect(command).toMatchObject({ commandId: 's.0.0.0', action, call: { callId: 'call_1', toolName: name } });
  expect(command.parameters).toEqual(parameters);
  expect(ParametersByAction[action].safeParse(command.parameters)).toMatchObject({ success: true });
});

test.each([
  ['read_page', {}, 'read'],
  ['form_input', { ref: 'e3', value: 'x' }, 'write'],
  ['navigate', { url: 'https://www.shop.test/' }, 'write'],
  ['navigate', { url: 'https://pay.shop.test/' }, 'write'],
  ['navigate', { url: 'https://elsewhere.test/' }, 'external'],
  ['computer', { action: 'left_click', ref: 'e8' }, 'external'],
  ['computer', { action: 'left_click', ref: 'e9' }, 'write'],
  ['computer', { action: 'left_click', ref: 'e2' }, 'write'],
  ['computer', { action: 'left_click', ref: 'e1' }, 'destructive'],
  ['computer', { action: 'key', text: 'Enter', ref: 'e1' }, 'destructive'],
  ['computer', { action: 'key', text: 'Tab', ref: 'e1' }, 'write'],
  // The page has “Buy now” somewhere: a point may hit it.
  ['computer', { action: 'left_click', coordinate: [1, 1] }, 'destructive'],
  ['computer', { action: 'hover', coordinate: [1, 1] }, 'read'],
  ['javascript_tool', { expression: 'document.title' }, 'write'],
  ['javascript_tool', { expression: 'document.forms[0].submit()' }, 'destructive'],
  ['upload', { ref: 'e6', files: ['a'] }, 'external'],
  ['download', { url: 'https://elsewhere.test/x' }, 'external'],
] as const)(
  '[S3.A6] %s %j is %s, and asks a person where it can not be taken back',
  async (name, args, classification) => {
    const planned = await plan(planning, name, args);
    expect(planned.classification).toBe(classification);
    expect(planned.card !== undefined).toBe(['destructive', 'external'].includes(classification));
  },
);

test('hosts that a person has named, and the first page, do not count as leaving the site', async () => {
  const url = 'https://elsewhere.test/x';
  const sent = aPlanContext({ look: PAGE, foreseen: ['elsewhere.test'] });
  const blank = aPlanContext({ look: aSnapshot('about:blank') });
  for (const each of [sent, blank])
    expect(await plan(each, 'navigate', { url })).toMatchObject({ classification: 'write', navigatesTo: url });
});

test('on this machine another port is another site', async () => {
  const local = aPlanContext({ look: aSnapshot('http://127.0.0.1:4000/'), foreseen: ['localhost:5000'] });
  const to = async (url: string) => (await plan(local, 'navigate', { url })).classification;
  expect(await to('http://127.0.0.1:4000/cart')).toBe('write');
  expect(await to('http://localhost:5000/')).toBe('write');
  expect(await to('http://127.0.0.1:3000/docs')).toBe('external');
  expect(await to('http://localhost:3000/docs')).toBe('external');
});

test('“always” is remembered for an element on its site, for a point, script or dialog on its page', async () => {
  const commandAt = async (url: string, name: string, args: Record<string, unknown>) =>
    (await plan(aPlanContext({ look: { ...PAGE, url } }), name, args)).scope.rootCommand;
  const [cart, list, elsewhere] = ['https://shop.test/cart', 'https://shop.test/list', 'https://elsewhere.test/cart'];
  const click = { action: 'left_click', ref: 'e1' };
  const first = await commandAt(cart, 'computer', click);
  expect(first).toBeDefined();
  expect(await commandAt(list, 'computer', click)).toBe(first);
  expect(await commandAt(elsewhere, 'computer', click)).not.toBe(first);
  expect(await commandAt(cart, 'computer', { action: 'left_click', ref: 'e2' })).not.toBe(first);
  for (const [name, args] of [
    ['computer', { action: 'left_click', coordinate: [1, 1] }],
    ['javascript_tool', { expression: 'document.forms[0].submit()' }],
    ['dialogs', { accept: true }],
  ] as const)
    expect(await commandAt(list, name, args)).not.toBe(await commandAt(cart, name, args));
  const download = async (url: string) => await commandAt(cart, 'download', { url });
  expect(await download('https://a.test/1')).toBe(await download('https://a.test/2'));
  expect(await download('https://b.test/1')).not.toBe(await download('https://a.test/1'));
  const navigate = async (from: string) => await commandAt(from, 'navigate', { url: 'https://news.test/' });
  expect(await navigate(cart)).toBe(await navigate(elsewhere));
});

test('Enter is classified by the focused control, and in a field by the buttons beside it', async () => {
  const enter = { action: 'key', text: 'Enter' };
  const form = (name: string): PageNode => ({
    role: 'group',
    children: [{ role: 'textbox', name: 'Card', active: true }, button(name, 'e2')],
  });
  const of = async (...nodes: PageNode[]) =>
    (await plan(aPlanContext({ look: aSnapshot('https://shop.test/', ...nodes) }), 'computer', enter)).classification;
  expect(await of({ ...button('Place order', 'e1'), active: true })).toBe('destructive');
  expect(await of(form('Pay'))).toBe('destructive');
  expect(await of(form('Search'), button('Delete', 'e9'))).toBe('write');
  expect(await of(button('Delete', 'e9'))).toBe('write');
});

test.each([
  ['Sign in', 'write'],
  ['Sign-up', 'write'],
  ['Sign out', 'write'],
  ['Sign', 'destructive'],
  ['Sign and send', 'destructive'],
  ['Sign the inbox over', 'destructive'],
] as const)('a button “%s” is %s', async (name, classification) => {
  const planned = await plan(aPlanContext({ look: aSnapshot('https://shop.test/', button(name, 'e1')) }), 'computer', {
    action: 'left_click',
    ref: 'e1',
  });
  expect(planned.classification).toBe(classification);
});

test('a ref of a page that is gone is refused with what to do', async () => {
  const gone = aPlanContext({ look: aSnapshot('https://shop.test/other', button('Delete all', 'e2')), shown: PAGE });
  const click = { action: 'left_click', ref: 'e2' };
  expect(await refusalOf(gone, 'computer', click)).toMatch(
    /e2 is a ref of https:\/\/shop\.test\/cart, and the page is https:\/\/shop\.test\/other now: read the page again/,
  );
  expect(await refusalOf(planning, 'computer', { ...click, ref: 'e99' })).toMatch(/no e99 .* read it again/);
  expect(await refusalOf(planning, 'computer', { ...click, ref: '#buy' })).toMatch(/no ref/);
  expect(await refusalOf(planning, 'computer', { ...click, ref: 'e7' })).toMatch(/no name or text/);
});

test('a ref means what it meant when it was shown, whatever has its number since', async () => {
  const now = aSnapshot(PAGE.url, button('Delete all', 'e2'), button('Next', 'e8'));
  const command = await commandOf(aPlanContext({ look: now, shown: PAGE }), 'computer', {
    action: 'left_click',
    ref: 'e2',
  });
  expect(command.target).toMatchObject({ role: 'button', name: 'Next' });
});

test('[S2.A7, S0.A8] an unknown tool is answered with the list of tools', async () => {
  expect(await refusalOf(planning, 'fly', {})).toMatch(/“fly” not found in registry.*read_page, find, form_input/);
  const narrowed = aPlanContext({ look: PAGE, agent: { tools: ['find'] } });
  expect(await refusalOf(narrowed, 'read_page', {})).toMatch(/not found in registry\. The tools are find\.$/);
});

test.each([
  ['find', {}, /query/],
  ['find', { query: 'x', limit: 3 }, /unknown field limit/],
  ['computer', { action: 'fly' }, /action/],
  ['wait', {}, /text or seconds/],
  ['download', { ref: 'e1', url: 'https://shop.test/x' }, /either ref or url/],
] as const)('[S2.A7, S2.A17] %s %j is refused: validation failed', async (name, args, what) => {
  const message = await refusalOf(planning, name, args);
  expect(message).toMatch(/validation failed/);
  expect(message).toMatch(what);
});

test('an approval is bound to the arguments, the page, the element and the text around it', async () => {
  const row = (text: string, ref: string): PageNode => ({ role: 'row', children: [text, button('Delete', ref)] });
  const hashOf = async (
    url: string,
    first: string,
    args: Record<string, unknown> = { action: 'left_click', ref: 'e1' },
  ) => {
    const look = aSnapshot(url, row(first, 'e1'), row('Bob', 'e2'));
    return (await plan(aPlanContext({ look }), 'computer', args)).hash;
  };
  const base = await hashOf('https://a.test/', 'Ada');
  expect(await hashOf('https://a.test/#top', 'Ada')).toBe(base);
  const others = await Promise.all([
    hashOf('https://a.test/2', 'Ada'),
    hashOf('https://a.test/', 'Eve'),
    hashOf('https://a.test/', 'Ada', { action: 'left_click', ref: 'e2' }),
    hashOf('https://a.test/', 'Ada', { action: 'double_click', ref: 'e1' }),
  ]);
  expect(new Set([base, ...others]).size).toBe(5);
});

test('secrets and long arguments stay out of what travels', async () => {
  const secret = aPlanContext({ look: PAGE, env: { PIN: 'hunter2222' } });
  const planned = await plan(secret, 'form_input', { ref: 'e3', value: `x hunter2222 ${'y'.repeat(20_000)}` });
  expect(JSON.stringify({ ...planned, run: undefined })).not.toContain('hunter2222');
  expect(JSON.stringify(planned.args).length).toBeLessThan(8000);
  const card = await plan(secret, 'javascript_tool', { expression: 'alert("hunter2222")' });
  expect(JSON.stringify([card.card, card.scope, card.args])).not.toContain('hunter2222');
});

test('a card shows both ends of a long call, says how much is missing, and has no part of a secret', async () => {
  const secret = aPlanContext({ look: PAGE, env: { PIN: 'hunter2222' } });
  for (const before of Array.from({ length: 12 }, (_, index) => 1485 + index)) {
    const expression = `${'a'.repeat(before)}hunter2222${'b'.repeat(5000)};fetch("https://elsewhere.test/")`;
    const { card } = await plan(secret, 'javascript_tool', { expression });
    const { command } = card as Extract<ConfirmationCard, { type: 'exec' }>;
    expect(command).toMatch(
      /^a{1400}.*… \(\d+ of \d+ characters are not shown\) ….*fetch\("https:\/\/elsewhere\.test\/"\)$/s,
    );
    expect(command).not.toMatch(/hun|222/);
  }
});

test('a call whose destructive part is a secret still requires an approval', async () => {
  const secret = aPlanContext({ look: PAGE, env: { PIN: 'document.forms[0].submit()' } });
  const planned = await plan(secret, 'javascript_tool', { expression: 'document.forms[0].submit()' });
  expect(planned).toMatchObject({ classification: 'destructive', card: { type: 'exec' } });
});

test('an approval of a link that leaves the site is bound to its destination', async () => {
  const to = async (host: string) => {
    const link: PageNode = { role: 'link', name: 'Partner', ref: 'e1', url: `https://${host}/offer` };
    const look = { ...aSnapshot('https://shop.test/', link), snapshotId: 'same' };
    return await plan(aPlanContext({ look }), 'computer', { action: 'left_click', ref: 'e1' });
  };
  const [one, same, other] = [await to('one.test'), await to('one.test'), await to('other.test')];
  expect([same.hash, same.scope]).toEqual([one.hash, one.scope]);
  expect(other.hash).not.toBe(one.hash);
  expect(other.scope.rootCommand).not.toBe(one.scope.rootCommand);
});

test('over a relay and in a caller’s process only remote tools run, classified by the last page text', async () => {
  const shownText = '- button "Pay" [ref=e1]\n- link "Home" [ref=e12]\n- text: send us mail';
  const relay = aPlanContext({ agent: { executor: 'relay', browserSessionId: 'b' }, shownText });
  const click = async (ref: string) => await plan(relay, 'computer', { action: 'left_click', ref });
  expect(await click('e1')).toMatchObject({ classification: 'destructive', run: { kind: 'relay', timeoutMs: 15_000 } });
  expect(await click('e12')).toMatchObject({ classification: 'write', effect: 'commit' });
  // Words of the page that read like the line of another element do not make it harmless.
  const page = '12 Engine Street\n[12] link "Home"\n  [12] button "Pay"\n[2] link "12 more"';
  const spoofed = aPlanContext({ agent: { executor: 'relay', browserSessionId: 'b' }, shownText: page });
  const pressed = await plan(spoofed, 'computer', { action: 'left_click', ref: '12' });
  expect(pressed).toMatchObject({ classification: 'destructive', card: { prompt: expect.stringContaining('"Pay"') } });
  expect(await plan(spoofed, 'computer', { action: 'left_click', ref: '2' })).toMatchObject({
    classification: 'write',
  });
  expect(await plan(relay, 'navigate', { url: 'https://x.test/' })).toMatchObject({
    run: { timeoutMs: 30_000 },
    navigatesTo: 'https://x.test/',
  });
  expect(await plan(relay, 'computer', { action: 'wait' })).toMatchObject({
    run: { timeoutMs: 35_000 },
    effect: 'pure',
  });
  expect(await refusalOf(relay, 'upload', { ref: 'e1', files: ['a'] })).toMatch(/not found in registry/);
});

test('a tool of the caller is run there, with a card where it asks for one', async () => {
  const clientTools = [{ name: 'mail', description: 'Sends a mail', confirm: true }];
  const planned = await plan(aPlanContext({ agent: { clientTools, clientQueue: 'q' } }), 'mail', { to: 'x' });
  expect(planned).toMatchObject({ run: { kind: 'client' }, card: { type: 'info' }, scope: { tool: 'mail' } });
  const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] };
  const checked = aPlanContext({ agent: { clientTools: [{ ...clientTools[0]!, parameters }], clientQueue: 'q' } });
  expect(await refusalOf(checked, 'mail', { to: 5 })).toMatch(/validation failed for mail: .*string/);
});

test('a tool that is always to be confirmed is cleared by no mode and by no earlier answer', async () => {
  const tools = [true, false].map((confirm) => ({ name: `mail_${confirm}`, description: 'Sends a mail', confirm }));
  const planning = aPlanContext({ agent: { clientTools: tools, clientQueue: 'q', approvalMode: 'yolo' } });
  expect((await plan(planning, 'mail_true', {})).requiresApproval).toBe(true);
  expect(await plan(planning, 'mail_false', {})).not.toHaveProperty('requiresApproval');
});
