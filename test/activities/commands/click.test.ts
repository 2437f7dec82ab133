import { durableTarget } from '../../../rules/page-text/durable-target';
import { walkNodes } from '../../../contracts/browsers/page-snapshot';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

/** One session for all that stay in one tab: what they click is gone with its page. */
let shared: StagedSession | undefined;
async function on(path: string): Promise<StagedSession> {
  shared ??= await stage.newSession();
  await shared.open(path);
  return shared;
}

test('clicks the element that a look named, by a target that outlives the look', async () => {
  const session = await on('/parts/counter');
  const before = session.count();
  const target = await session.target('button', 'Add one');
  await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
  expect(session.count()).toBe(before + 1);
  expect(await session.look()).toMatchObject({ title: 'A counter · Surefoot Supply' });
});

test('clicks nothing when the target is gone', async () => {
  const session = await on('/parts/counter');
  const before = session.count();
  const target = await session.target('button', 'Add one');
  await session.open('/parts/terms');
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: target.selector }, target)], {
    timeoutMs: 500,
  });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
  expect(outcomes[0]?.message).toMatch(/^There is no button “Add one” on .*\/parts\/terms/);
  expect(session.count()).toBe(before);
});

test('clicks the meant one of several equal elements', async () => {
  const session = await on('/parts/equal-names');
  const target = await session.target('button', 'Delete', 1);
  expect(target).toMatchObject({ nth: 1, of: 3 });
  await session.did([
    a('CLICK_ELEMENT', { selector: target.selector }, target),
    a('EXPECT', { text: 'Deleted Red tent' }),
  ]);
});

test('clicks a card that says more than eighty characters, and nothing once it begins otherwise', async () => {
  const about = 'for two people, three seasons and four hands, with a porch, pegs, a bag and a book of songs';
  const card = (name: string): string =>
    `<div style="cursor: pointer" onclick="said.textContent = 'Opened ${name}'"><b>${name}</b> ${about}</div>`;
  const session = await on(stage.page('/long-cards', `${card('Blue tent')}${card('Red tent')}<p id=said></p>`));
  const look = await session.look();
  const [, red] = [...walkNodes(look.nodes)].filter(({ node }) => node.cursor === 'pointer');
  const target = durableTarget(look, red!.node.ref!)!;
  const click = () => session.run([a('CLICK_ELEMENT', { selector: target.selector }, target)], { timeoutMs: 2000 });
  expect((await click()).outcomes).toMatchObject([{ status: 'done' }]);
  await session.did([a('EXPECT', { text: 'Opened Red tent' })]);
  await session
    .page()
    .locator('b')
    .nth(1)
    .evaluate((name) => void (name.textContent = 'Sold tent'));
  expect((await click()).outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
});

test('clicks none of several equal elements when one of them has gone since the look', async () => {
  const session = await on('/parts/equal-names');
  const target = await session.target('button', 'Delete', 1);
  await session
    .page()
    .locator('li')
    .first()
    .evaluate((item) => item.remove());
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: target.selector }, target)], {
    timeoutMs: 300,
  });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
  expect(outcomes[0]?.message).toContain('The snapshot had 3 of button “Delete”, now there are 2');
  expect(await session.page().locator('li').count()).toBe(2);
});

test('refuses a selector that matches several elements', async () => {
  const session = await on('/parts/equal-names');
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: 'button.plain' })]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
  expect(outcomes[0]?.message).toContain('matches 3 elements');
});

test('clicks the control with the name at that moment where a page swaps two names under the pointer', async () => {
  const session = await stage.newSession();
  const page = `<div id="buttons"><button id="one" onclick="document.title = 'one'">Keep</button>
    <button id="two" onclick="document.title = 'two'">Remove</button></div>
    <script>buttons.addEventListener('mouseover', () => { one.textContent = 'Remove'; two.textContent = 'Keep'; }, { once: true });</script>`;
  await session.open(stage.page('/swapped', page));
  const target = await session.target('button', 'Keep');
  await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
  expect(await session.page().title()).toBe('two');
});

test('names what covers a button that can not be clicked', async () => {
  const session = await on('/parts/covered');
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: '#continue' })], { timeoutMs: 5000 });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX003' }]);
  expect(outcomes[0]?.message).toMatch(/^It is covered by div#overlay.overlay “We value your/);
  await session.did([
    a('CLICK_ELEMENT', { selector: '#close' }),
    a('CLICK_ELEMENT', { selector: '#continue' }),
    a('EXPECT', { text: 'Continued' }),
  ]);
});

test('waits for an element that comes late', async () => {
  const session = await on('/parts/terms');
  expect(
    await session.did([
      a('OPEN_PAGE', { url: session.url('/parts/late?ms=600') }),
      a('CLICK_ELEMENT', { selector: 'role=button[name="Late button"]' }),
      a('EXPECT', { text: 'Late button pressed' }),
    ]),
  ).toMatchObject({ isInterrupted: false });
});

test('works inside an iframe, also one that is not there yet', async () => {
  const session = await on('/parts/iframe');
  await session.page().frameLocator('iframe').getByRole('button').waitFor();
  await session.did([a('GET_DOM')]);
  const target = await session.target('button', 'Press inside');
  expect(target.selector).toContain('enter-frame');
  await session.did([
    a('CLICK_ELEMENT', { selector: target.selector }, target),
    a('EXPECT', { text: 'The frame says: pressed' }),
  ]);

  const late = stage.page(
    '/late-frame',
    `<p>Wait</p><script>setTimeout(() => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<button onclick="this.textContent = \\'Done\\'">Go</button>';
    document.body.append(frame);
  }, 400)</script>`,
  );
  const selector = 'iframe >> nth=0 >> internal:control=enter-frame >> role=button[name="Go"s]';
  await session.did([
    a('OPEN_PAGE', { url: late }),
    a('CLICK_ELEMENT', { selector }, { selector, role: 'button', name: 'Go', nth: 0, of: 1 }),
    a('EXPECT', { text: 'Done' }),
  ]);
});

test('fails in an iframe that never comes', async () => {
  const session = await on('/parts/terms');
  const selector = 'iframe >> nth=0 >> internal:control=enter-frame >> role=button[name="Go"s]';
  const target = { selector, role: 'button', name: 'Go', nth: 0, of: 1 };
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector }, target)], { timeoutMs: 300 });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
});

test('works inside an open shadow tree', async () => {
  const session = await on('/parts/shadow');
  const [field, button] = [await session.target('textbox', 'Nickname'), await session.target('button', 'Greet')];
  expect(
    await session.did([
      a('INPUT_TEXT', { selector: field.selector, text: 'Ada' }, field),
      a('CLICK_ELEMENT', { selector: button.selector }, button),
      a('EXPECT', { text: 'Hello, Ada' }),
    ]),
  ).toMatchObject({ isInterrupted: false });
});

test('looks at a table of 1,000 rows and clicks the one of 1,000 equal buttons that was meant', async () => {
  const session = await stage.newSession({ steps: ['Click "Edit" in the row "Item 701"'] });
  await session.open('/parts/table');
  await session.did([a('GET_DOM')]);
  const look = await session.look();
  const row = [...walkNodes(look.nodes)].find(({ node }) => node.anchor?.selector.includes('Item 701'));
  const button = [...walkNodes(row?.node.children ?? [])].find(({ node }) => node.name === 'Edit');
  const target = durableTarget(look, button!.node.ref!)!;
  expect(target).toMatchObject({ role: 'button', name: 'Edit', nth: 0, of: 1 });
  await session.did([a('CLICK_ELEMENT', { selector: target.selector }, target)]);
  expect(await session.page().locator('#status').textContent()).toBe('Editing Item 701');
});

test('takes a tab that its own button closes for clicked, and goes on in the tab before', async () => {
  const session = await stage.newSession();
  await session.open('/parts/new-tab');
  await session.did([
    a('CLICK_ELEMENT', { selector: 'role=button[name="Open terms in a window"]' }),
    a('SWITCH_TAB', { tab: 'last' }),
    a('EXPECT', { title: 'Terms' }),
    a('CLICK_ELEMENT', { selector: 'role=button[name="Close"]' }),
    a('EXPECT', { title: 'A new tab' }),
  ]);
  expect((await session.look()).tabs).toHaveLength(1);
});

test('never takes a ref to the browser: one that no look had fails with EX002 and clicks nothing', async () => {
  const session = await on('/parts/table');
  const { outcomes } = await session.run([a('CLICK_ELEMENT', { selector: 'ref=e3' })]);
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
  expect(await session.page().locator('#status').textContent()).toBe('Nothing done yet');
});
