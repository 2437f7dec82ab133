import { a } from '../../support/browser-session';
import { blocking, openBrowserStage, type BrowserStage } from '../../support/browser-harness';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

async function on(path: string) {
  const session = await stage.newSession({ variables: { visitor: 'Ada' } });
  await session.open(path);
  return session;
}
const press = (name: string) => a('CLICK_ELEMENT', { selector: `role=button[name="${name}"]` });

test('switches to the tab that a click has opened, and back', async () => {
  const session = await on('/parts/new-tab');
  await session.did([
    a('CLICK_ELEMENT', { selector: 'role=link[name="Open terms"]' }),
    a('SWITCH_TAB', { tab: 'last' }),
    a('EXPECT', { title: 'Terms' }),
  ]);
  expect((await session.look()).tabs).toMatchObject([
    { isActive: false },
    { title: 'Terms · Surefoot Supply', isActive: true },
  ]);
  for (const [tab, title] of [
    ['first', 'A new tab'],
    ['next', 'Terms'],
    ['1', 'A new tab'],
    ['terms', 'Terms'],
  ] as const)
    await session.did([a('SWITCH_TAB', { tab }), a('EXPECT', { title })]);
});

test('lists the tabs when none matches', async () => {
  const session = await on('/parts/terms');
  const { outcomes } = await session.run([a('SWITCH_TAB', { tab: 'checkout' })], { timeoutMs: 300 });
  expect(outcomes).toMatchObject([{ status: 'failed', code: 'EX002' }]);
  expect(outcomes[0]?.message).toContain('the tabs are 1 “Terms · Surefoot Supply”');
});

test('lets another worker continue in the same tab', async () => {
  const session = await on('/parts/new-tab');
  await session.did([
    a('CLICK_ELEMENT', { selector: 'role=link[name="Open terms"]' }),
    a('SWITCH_TAB', { tab: 'last' }),
  ]);
  await session.did([a('EXPECT', { title: 'Terms' })], { worker: 'second' });
  await session.did([a('SWITCH_TAB', { tab: 'first' })], { worker: 'second' });
  expect(await session.did([a('EXPECT', { title: 'A new tab' })], { worker: 'third' })).toMatchObject({
    isInterrupted: false,
  });
});

test('dismisses a question without an armed answer, and accepts an alert', async () => {
  const session = await on('/parts/dialogs');
  await session.did([press('Delete'), a('EXPECT', { text: 'Kept' })]);
  await session.did([press('Show alert'), a('EXPECT', { text: 'Alert closed' })]);
  await session.did([press('Ask name'), a('EXPECT', { text: 'No name given' })]);
  const dialogs = (await session.journal()).flatMap(({ evidence }) =>
    evidence?.kind === 'observed' ? evidence.dialogs : [],
  );
  expect(dialogs).toEqual([
    { type: 'confirm', message: 'Delete it?', accepted: false, isUnanswered: true },
    { type: 'alert', message: 'This is an alert', accepted: true },
    { type: 'prompt', message: 'What is your name?', accepted: false, isUnanswered: true },
  ]);
});

test('gives the armed answer to the next question, and only to that one', async () => {
  const session = await on('/parts/dialogs');
  expect(
    await session.did([
      a('HANDLE_DIALOG', { accept: true }),
      press('Delete'),
      a('EXPECT', { text: 'Deleted' }),
      press('Delete'),
      a('EXPECT', { text: 'Kept' }),
      a('HANDLE_DIALOG', { accept: true, promptText: '${visitor}' }),
      press('Ask name'),
      a('EXPECT', { text: 'Hello, Ada' }),
    ]),
  ).toMatchObject({ isInterrupted: false });
});

/** Each kind of dialog, and controls that open none, several, or one that comes late. */
const DIALOGS = `<p role=status id=said></p><script>
  const ask = (text) => (said.textContent += confirm(text) ? 'yes ' : 'no ');
  let isDirty = false;
  onbeforeunload = (event) => { if (isDirty) event.preventDefault(); };
</script>
<button onclick="alert('Version 4')">About</button><button onclick="said.textContent += '. '">Refresh</button>
<button onclick="ask('Erase all?')">Erase</button><button onclick="alert('First'); ask('One?'); ask('Two?')">Both</button>
<button onclick="setTimeout(() => ask('Late?'), 300)">Later</button>
<button onclick="isDirty = true; said.textContent += 'dirty '">Change</button><a href="/elsewhere">Leave</a>`;

async function onDialogs() {
  const session = await stage.newSession();
  stage.page('/elsewhere', '<p role=status>away</p>');
  await session.open(stage.page('/dialogs', DIALOGS));
  return session;
}
const leave = a('CLICK_ELEMENT', { selector: 'role=link[name="Leave"]' });
const answer = (accept: boolean) => a('HANDLE_DIALOG', { accept });

test.each([
  ['an alert', [answer(true), press('About')]],
  ['no dialog', [answer(true), press('Refresh')]],
  ['a page that was left', [press('Change'), answer(true), leave, a('GO_BACK')]],
])('an answer that was given for %s is none for a later question', async (_, drafts) => {
  const session = await onDialogs();
  await session.did(drafts);
  expect(await session.did([press('Erase'), a('EXPECT', { text: 'no' })])).toMatchObject({ isInterrupted: false });
});

test('an answer ends with its step, whatever opens late', async () => {
  const session = await onDialogs();
  await session.did([answer(true), press('Refresh')]);
  await session.did([a('EXPECT', { text: '.' })], { stepIndex: 1 });
  await session.page().evaluate(`ask('Much later?')`);
  expect(await session.did([a('EXPECT', { text: 'no' })], { stepIndex: 1 })).toMatchObject({ isInterrupted: false });
});

test('an answer is for all dialogs of its command, one after the other and late ones', async () => {
  const session = await onDialogs();
  await session.did([answer(true), press('Both'), a('EXPECT', { text: 'yes yes' })]);
  expect(
    await session.did([answer(true), press('Later'), a('WAIT_FOR', { text: 'yes yes yes', seconds: 5 })]),
  ).toMatchObject({ isInterrupted: false });
});

test('several answers are for the questions of the next command, in their order', async () => {
  const session = await onDialogs();
  expect(
    await session.did([answer(true), answer(false), press('Both'), a('EXPECT', { text: 'yes no' })]),
  ).toMatchObject({ isInterrupted: false });
});

test('a page that asks before it is left stays where the answer is no', async () => {
  const session = await onDialogs();
  await session.did([press('Change'), answer(false), leave, a('EXPECT', { text: 'dirty' })]);
  expect(await session.did([leave, a('EXPECT', { text: 'away' })])).toMatchObject({ isInterrupted: false });
});

test('arms an answer again for the worker that takes over, with its variables filled in', async () => {
  const session = await on('/parts/dialogs');
  const batch = session.plan([a('HANDLE_DIALOG', { accept: true, promptText: '${visitor}' }), press('Ask name')]);
  await session.did(batch.slice(0, 1));
  await session.did(batch, { worker: 'second' });
  expect(await session.did([a('EXPECT', { text: 'Hello, Ada' })], { worker: 'second' })).toMatchObject({
    isInterrupted: false,
  });
});

test('does not arm an answer again that was used', async () => {
  const session = await on('/parts/dialogs');
  const batch = session.plan([a('HANDLE_DIALOG', { accept: true }), press('Delete'), press('Ask name')]);
  await session.did(batch.slice(0, 2));
  await session.did(batch, { worker: 'second' });
  expect(await session.did([a('EXPECT', { text: 'No name given' })], { worker: 'second' })).toMatchObject({
    isInterrupted: false,
  });
});

test('attaches in time after a dialog that opened while nobody was attached, and continues', async () => {
  const session = await on('/parts/dialogs');
  await session.page().evaluate(() => {
    setTimeout(() => document.getElementById('delete')?.click(), 300);
  });
  await stage.worker().attachments.closeAll();
  expect(await session.did([a('WAIT_FOR', { text: 'Kept', seconds: 5 })], { worker: 'second' })).toMatchObject({
    isInterrupted: false,
  });
});

test('continues in another tab after a page whose script never ends', async () => {
  // It waits for an answer that never comes: a loop would do as well, and take a whole processor until it is ended.
  const wait = `const request = new XMLHttpRequest(); request.open('GET', '/never', false); request.send()`;
  const session = await on(stage.page('/endless', `<button onclick="${wait}">Think</button>`));
  const { outcomes } = await session.run([press('Think')], { timeoutMs: 5000 });
  expect(outcomes).toHaveLength(1);
  expect((await session.look()).nodes[0]).toMatch(/^This page no longer answers/);
  await session.did([a('OPEN_PAGE', { url: session.url('/parts/keys') }), a('EXPECT', { title: 'Keys' })]);
});

test('a page that is busy for seconds keeps its tab, and is read when it answers again', async () => {
  // A first snapshot is given up before it answers, its page is not.
  const busy = `${blocking(7000)}; this.textContent = 'Thought'`;
  const session = await on(stage.page('/busy', `<button onclick="${busy}">Think</button>`));
  await session.run([press('Think')], { timeoutMs: 5000 });
  expect(JSON.stringify((await session.look()).nodes)).toContain('Thought');
  await session.did([a('EXPECT', { text: 'Thought' })]);
});
