/** Explicit tasks as tool calls, by the built-in model: what it calls for each kind of action, and where it stops. */
import { anObservedCommand, anUnobservedCommand } from '../../support/evidence';
import type { PastCommand, PastTurn, TurnRequest } from '../../../contracts/model-port/port';
import { createRulesModel } from '../../../rules/rules-model';
import { REJECTED_TEXT } from '../../../contracts/approvals/approval-policy';
import { BROWSER_TOOLS, isBrowserTool } from '../../../contracts/tools/browser-tools';
import type { PageSnapshot, PageNode } from '../../../contracts/browsers/page-snapshot';

const nodes: PageNode[] = [
  { role: 'textbox', name: 'City', ref: 'e1' },
  { role: 'combobox', name: 'Size', ref: 'e2', children: [{ role: 'option', name: 'M' }] },
  { role: 'checkbox', name: 'Gift', ref: 'e3' },
  { role: 'button', name: 'Buy', ref: 'e4' },
  { role: 'link', name: 'Help', ref: 'e5' },
];
const look: PageSnapshot = { snapshotId: 'l', url: 'https://shop.test/', title: 'Shop', tabs: [], nodes };
const tools = Object.keys(BROWSER_TOOLS).map((name) => ({ name, description: '', parameters: {} }));

type End = Pick<PastCommand, 'status' | 'error' | 'evidence' | 'resolution'>;
const DONE: End = { status: 'done' };

/** A task played to its end: each turn's calls end as scripted, and the page is as scripted from then on. */
async function play(
  task: string,
  ends: (turn: number) => { ends?: End[]; look?: PageSnapshot } = () => ({}),
  change: Partial<TurnRequest> = {},
) {
  const model = createRulesModel();
  const past: PastTurn[] = [];
  const called: [string, unknown][][] = [];
  let seen = change.snapshot ?? look;
  for (let turn = 0; turn < 20; turn += 1) {
    const base = { system: '', messages: [], tools, task, stepIndex: 0, maxSteps: 50, variables: [], ...change };
    const { text, functionCalls, raw } = await model.turn({ ...base, turn, snapshot: seen, pastTurns: past });
    if (functionCalls.length === 0) return { called, text };
    for (const { name, args } of functionCalls) {
      // What it calls is what the tools take.
      if (!isBrowserTool(name)) throw new Error(`There is no tool ${name}.`);
      BROWSER_TOOLS[name].parameters.parse(JSON.parse(args));
    }
    called.push(functionCalls.map(({ name, args }) => [name, JSON.parse(args)]));
    const scripted = ends(turn);
    seen = scripted.look ?? seen;
    past.push({
      turn,
      raw,
      calls: functionCalls.map(({ name }) => name),
      outcomes: scripted.ends ?? functionCalls.map(() => DONE),
    });
  }
  throw new Error('The task did not end.');
}

test('every kind of action is the call of the tool that does it, one after the other', async () => {
  const task =
    'Open https://shop.test/, type "Rome" into City, choose M in Size, check Gift, scroll down, press Enter, wait for "Buy", wait 2 seconds, go back, click Buy';
  const { called, text } = await play(task);
  expect(called).toEqual([
    [['navigate', { url: 'https://shop.test/' }]],
    [['form_input', { ref: 'e1', value: 'Rome' }]],
    [['form_input', { ref: 'e2', value: 'M' }]],
    [['form_input', { ref: 'e3', value: true }]],
    [['computer', { action: 'scroll', scroll_direction: 'down', scroll_amount: 5 }]],
    [['computer', { action: 'key', text: 'Enter' }]],
    [['wait', expect.objectContaining({ text: 'Buy' })]],
    [['wait', { seconds: 2 }]],
    [['navigate', { url: 'back' }]],
    [['computer', { action: 'left_click', ref: 'e4' }]],
  ]);
  expect(text).toContain('All that was asked is done');
});

test('what was filled in for a click that is done is not filled in again after its browser was lost', async () => {
  const typed: End = { status: 'done' };
  const thanks = { ...look, title: 'Thank you', nodes: [{ role: 'heading', name: 'Thank you', ref: 'e1' }] };
  const { called, text } = await play('Type "Rome" into City, click Buy and expect "Thank you"', (turn) => {
    if (turn === 0) return { ends: [typed] };
    // The click had been asked for before, so it ran in the restored page.
    typed.evidence = anObservedCommand({ lostWith: 'browser' });
    return { look: thanks };
  });
  expect(called).toHaveLength(2);
  expect(text).toContain('All that was asked is done');
});

test('the answer to a dialog is given in the same turn as the click that opens it', async () => {
  const { called } = await play('Click Buy and accept the dialog, then click Help');
  expect(called).toEqual([
    [
      ['dialogs', { accept: true }],
      ['computer', { action: 'left_click', ref: 'e4' }],
    ],
    [['computer', { action: 'left_click', ref: 'e5' }]],
  ]);
});

test('what the page shows already is expected without a call; what it does not show yet is waited for', async () => {
  expect(await play('Expect the title to contain Shop, then expect to see "Buy"')).toMatchObject({ called: [] });
  const late = await play('Expect to see "Thank you"');
  expect(late.called).toEqual([[['wait', { text: 'Thank you', seconds: 5 }]]]);
  const error = { code: 'EX002', message: 'Error: “Thank you” did not come' };
  const missing = await play('Expect to see "Thank you"', () => ({ ends: [{ status: 'failed', error }] }));
  expect(missing.text).toMatch(/^I could not do this: .*Thank you/);
  expect((await play('Expect the address to contain /cart')).text).toMatch(/^I could not do this: /);
});

test('a click of which nobody saw the end is not done again; the page shows its result, or nothing does', async () => {
  const unknown: End = { status: 'unknown', evidence: anUnobservedCommand() };
  const lost = await play('Click Buy, then expect "Thank you"', () => ({ ends: [unknown] }));
  expect(lost.called).toHaveLength(1);
  expect(lost.text).toMatch(/^I could not do this: /);
  const thanks = { ...look, nodes: [{ role: 'heading', name: 'Thank you', ref: 'e9' }] };
  const settled = await play('Click Buy, then expect "Thank you"', () => ({ ends: [unknown], look: thanks }));
  expect(settled.called).toHaveLength(1);
  expect(settled.text).toContain('All that was asked is done');
});

test('a button that is not there yet gets a moment; a rejected call is not made again', async () => {
  const late = await play('Click Pay', (turn) =>
    turn === 0 ? { look: { ...look, nodes: [{ role: 'button', name: 'Pay', ref: 'e8' }] } } : {},
  );
  expect(late.called.map(([first]) => first![0])).toEqual(['wait', 'computer']);
  const error = { code: 'TL001', message: `${REJECTED_TEXT} Their reason: too dear.` };
  const rejected = await play('Click Buy', () => ({ ends: [{ status: 'failed', error }] }));
  expect(rejected.called).toHaveLength(1);
  expect(rejected.text).toMatch(
    /^I could not do this: .* A person rejected it; change the task .* approve\. Their reason: too dear\.$/,
  );
});

test('a text that was noted is used where the task names it, and given in the answer', async () => {
  const { called, text } = await play('Save Help as topic, then type "about ${topic}" into City');
  expect(called).toEqual([[['form_input', { ref: 'e1', value: 'about Help' }]]]);
  expect(text).toMatch(/\ntopic: Help$/);
});

test('a task that another model has begun is not begun again', async () => {
  const raw = { form: 'gemini' as const, provider: 'gemini', parts: [] };
  const base = { system: '', messages: [], tools, stepIndex: 0, maxSteps: 50, variables: [], snapshot: look };
  const past = [{ turn: 0, raw, calls: [], outcomes: [DONE] }];
  const answer = await createRulesModel().turn({ ...base, task: 'Click Buy', turn: 1, pastTurns: past });
  expect(answer).toMatchObject({ functionCalls: [], text: expect.stringContaining('Another model has begun') });
});

test('a tool that the session does not offer is named', async () => {
  const few = { tools: tools.filter(({ name }) => name !== 'navigate') };
  expect((await play('Open https://shop.test/', undefined, few)).text).toBe(
    'I could not do this: The task needs the tool navigate, which this session does not offer.',
  );
});
