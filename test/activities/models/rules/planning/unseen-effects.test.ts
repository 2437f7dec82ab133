import { createRulesModel } from '../../../../../rules/rules-model';
import type { CommandEvidence } from '../../../../../contracts/commands/evidence';
import { AIResponseSchema, type AIResponse } from '../../../../../contracts/models/ai-response';
import type { PageNode, PageSnapshot } from '../../../../../contracts/browsers/page-snapshot';
import { anObservedCommand } from '../../../../support/evidence';

const FIELDS: PageNode[] = [
  { role: 'textbox', name: 'City', ref: 'e2' },
  { role: 'checkbox', name: 'Send me news', ref: 'e3' },
  {
    role: 'combobox',
    name: 'Country',
    ref: 'e4',
    children: [
      { role: 'option', name: 'Chile', selected: true },
      { role: 'option', name: 'Nepal' },
    ],
  },
  { role: 'button', name: 'Keep', ref: 'e5' },
  { role: 'link', name: 'Help', ref: 'e6' },
  { role: 'radio', name: 'Small', checked: true, ref: 'e7' },
  {
    role: 'treeitem',
    name: 'Pictures',
    ref: 'e8',
    expanded: false,
    children: [
      { role: 'generic', ref: 'e9', cursor: 'pointer', text: '▸' },
      { role: 'generic', ref: 'e10', cursor: 'pointer', text: 'Pictures' },
    ],
  },
];

const aPage = (nodes: PageNode[], more: Partial<PageSnapshot> = {}): PageSnapshot => ({
  snapshotId: 'one',
  url: 'https://shop.test/',
  title: 'Shop',
  tabs: [],
  nodes,
  ...more,
});

async function decide(instruction: string, snapshot: PageSnapshot, past: AIResponse[], evidence: CommandEvidence) {
  const pastIterations = past.map(({ decision, reasoning, commands, context }) => {
    const outcomes = commands.map((command) => ({ ...command, status: 'done' as const, evidence }));
    return { decision, reasoning, commands, context, outcomes };
  });
  const question = { stepIndex: 0, iteration: past.length, maxIterations: 5, mayAct: true, variables: [] };
  const asked = createRulesModel().decide({ ...question, instruction, snapshot, pastIterations }, NEVER);
  return AIResponseSchema.parse((await asked).reply);
}

const NEVER = { signal: new AbortController().signal };

/** The reply after all commands of the step are done, and the page is now this one. */
async function judge(instruction: string, now: PageSnapshot, evidence: CommandEvidence = anObservedCommand()) {
  const first = await decide(instruction, aPage(FIELDS), [], evidence);
  return (await decide(instruction, now, [first], evidence)).decision;
}

const changed = (ref: string, change: Partial<PageNode>): PageSnapshot =>
  aPage(FIELDS.map((node) => (node.ref === ref ? { ...node, ...change } : node)));
const UNCHANGED = aPage(FIELDS, { isUnchanged: true });

test.each([
  ['a click after which the page reads as before', 'click Keep', UNCHANGED, 'nothing shows that it did anything'],
  [
    'a click after which only the pointer looks otherwise',
    'click Keep',
    aPage(FIELDS.map((node) => ({ ...node, cursor: 'pointer' }))),
    'nothing shows that it did anything',
  ],
  ['a field that is empty again', 'type "Lima" into City', aPage(FIELDS), 'it is empty now'],
  ['a field that kept the beginning', 'type "Lima" into City', changed('e2', { text: 'Lim' }), 'it is “Lim” now'],
  ['a box that is not checked again', 'check "Send me news"', aPage(FIELDS), 'it is not checked now'],
  ['an entry of a tree that stays collapsed', 'expand Pictures', aPage(FIELDS), 'shows that it is not expanded'],
  ['a list with its old option', 'choose Nepal as Country', aPage(FIELDS), 'it is “Chile” now'],
])('%s is no step that is done', async (_, instruction, now, message) => {
  expect(await judge(instruction, now)).toMatchObject({ action: 'ABORT', message: expect.stringContaining(message) });
});

test.each([
  ['the page reads otherwise', 'click Keep', aPage([...FIELDS, { role: 'status', name: 'Kept' }])],
  ['a link may only scroll', 'click Help', UNCHANGED],
  ['a field gets the focus', 'click City', UNCHANGED],
  ['it was chosen before', 'click Small', UNCHANGED],
  ['the field writes it in its own way', 'type "2026-12-24" into City', changed('e2', { text: '24.12.2026' })],
  ['the entry of a tree is expanded', 'expand Pictures', changed('e8', { expanded: true })],
  ['the box is checked', 'check "Send me news"', changed('e3', { checked: true })],
])('a step is done where %s', async (_, instruction, now) => {
  expect(await judge(instruction, now)).toMatchObject({ action: 'PROCEED' });
});

test('an entry of a tree is expanded by its own control, not by its name', async () => {
  const { commands } = await decide('expand Pictures', aPage(FIELDS), [], anObservedCommand());
  expect(commands).toMatchObject([{ action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e9' } }]);
});

test('a click after a filled field is no step that is done where only the field has changed', async () => {
  const filled = changed('e2', { text: 'Lima' });
  const ignored = await judge('type "Lima" into City and click Keep', filled);
  expect(ignored).toMatchObject({
    action: 'ABORT',
    message: expect.stringContaining('nothing shows that it did anything'),
  });
  const done = aPage([...filled.nodes, { role: 'status', name: 'Kept' }] as PageNode[]);
  expect(await judge('type "Lima" into City and click Keep', done)).toMatchObject({ action: 'PROCEED' });
});

test('a click that sent a request is done on a page that reads as before', async () => {
  const evidence = anObservedCommand({ requests: [{ method: 'POST', url: 'https://shop.test/keep', status: 204 }] });
  expect(await judge('click Keep', UNCHANGED, evidence)).toMatchObject({ action: 'PROCEED' });
});

test('a click that brought a file is done on a page that reads as before, unless the file was not stored', async () => {
  const stored = anObservedCommand({ downloads: [{ name: 'a.csv', fileId: 'c1.download', bytes: 3 }] });
  expect(await judge('click Keep', UNCHANGED, stored)).toMatchObject({ action: 'PROCEED' });
  const lost = anObservedCommand({ downloads: [{ name: 'a.csv', failure: 'The download was cancelled.' }] });
  expect(await judge('click Keep', UNCHANGED, lost)).toMatchObject({
    action: 'ABORT',
    message: expect.stringContaining('“a.csv” was not downloaded: The download was cancelled.'),
  });
});

/** Clicks Keep on a page that reads like each of these in turn; resolves to how the step ends, and how often it waited. */
async function clickAndLook(
  reads: readonly PageNode[][],
): Promise<{ action: string; message?: string; waits: number }> {
  const past: AIResponse[] = [];
  let reply = await decide('click Keep', aPage(reads[0]!), past, anObservedCommand());
  while (reply.commands.length > 0) {
    past.push(reply);
    reply = await decide('click Keep', aPage(reads[past.length] ?? reads.at(-1)!), past, anObservedCommand());
  }
  return { ...reply.decision, waits: past.filter(({ context }) => context?.['secondLook'] !== undefined).length };
}

const beside = (text: string, role = 'paragraph'): PageNode[] => [...FIELDS, { role, text }];
const drawn = (drawing: string): PageNode[] => FIELDS.map((node) => (node.ref === 'e5' ? { ...node, drawing } : node));

const clockAnd = (time: string, text: string): PageNode[] => [...beside(time), { role: 'paragraph', text }];

test.each([
  ['a clock ticks', [beside('12:00:01'), beside('12:00:02'), beside('12:00:04')], 1],
  ['the words of a carousel change', [beside('Sun'), beside('Snow'), beside('Towns')], 1],
  ['a carousel of two pictures turns', [drawn('one'), drawn('two'), drawn('two'), drawn('one')], 2],
])('a dead button is no step that is done where %s beside it', async (_, reads, waits) => {
  const expected = { action: 'ABORT', message: expect.stringContaining('changes only by itself'), waits };
  expect(await clickAndLook(reads)).toMatchObject(expected);
});

test('a click that leaves the pictures around its control as they were is no step that is done', async () => {
  const reads = [drawn('one'), drawn('one')];
  const expected = { action: 'ABORT', message: expect.stringContaining('nothing shows'), waits: 0 };
  expect(await clickAndLook(reads)).toMatchObject(expected);
});

test.each([
  ['a number counts up once', [beside('Likes: 1'), beside('Likes: 2')], 1],
  ['a text changes once', [beside('Draft'), beside('Kept')], 2],
  ['the pictures around it change once', [drawn('one'), drawn('two')], 2],
  ['a clock ticks too', [clockAnd('1 s', 'Draft'), clockAnd('2 s', 'Kept'), clockAnd('4 s', 'Kept')], 2],
  ['a text shows where none was', [beside(''), beside('Kept')], 0],
  ['a message changes', [beside('Draft', 'status'), beside('Kept', 'status')], 0],
  [
    'a text changes that the page says the click has changed',
    [clockAnd('1 s', 'Draft'), [...beside('2 s'), { role: 'paragraph', text: 'Kept', changedByClick: true as const }]],
    0,
  ],
  [
    'a picture near it changes, and the page says that the click has changed it',
    [drawn('one'), drawn('two').map((node) => ({ ...node, changedByClick: true as const }))],
    0,
  ],
  ['its own state changes', [FIELDS, changed('e5', { pressed: true }).nodes as PageNode[]], 0],
])('a click is done where %s', async (_, reads, waits) => {
  expect(await clickAndLook(reads)).toMatchObject({ action: 'PROCEED', waits });
});
