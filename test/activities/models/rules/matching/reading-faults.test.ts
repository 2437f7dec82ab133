/** A model's reading of a step is followed where it says what the step says: all of it, and nothing else. */
import { decideByReading } from '../../../../../activities/engine/models/decide-by-reading';
import { AIResponseSchema } from '../../../../../contracts/models/ai-response';
import type { CallOptions, DecisionRequest, Model, RefusedReading } from '../../../../../contracts/model-port/port';
import { isUnread } from '../../../../../contracts/models/reading';
import { aCommand, aReply } from '../../../../support/builders';
import { control, requestOn, type Node } from '../../../../support/rules-on-page';

const option = (name: string): Node => ({ role: 'option', name, children: [] }) as Node;
const PAGE: Node[] = [
  { role: 'term', text: 'State', ref: 'term' } as Node,
  { role: 'definition', text: 'Delayed', ref: 'state' } as Node,
  control('textbox', 'Find a tool', 'find'),
  control('combobox', 'Language', 'language', { children: ['English (UK)', 'English (US)', 'Deutsch'].map(option) }),
  control('combobox', 'Digest', 'digest', { children: ['Never', 'Weekly'].map(option) }),
  control('checkbox', 'On the shelf only', 'shelf'),
  control('button', 'Lend Hand saw', 'lend'),
  control('button', 'Invite', 'invite'),
  control('button', 'Add one', 'add'),
];

const OPTIONS = { listener: { discarded: () => Promise.resolve() } } as CallOptions;

/** @param said what the model says, first and when it is asked again */
async function read(instruction: string, ...said: string[]) {
  const refusals: (RefusedReading | undefined)[] = [];
  const model = {
    read: (_request: unknown, _options: unknown, refused?: RefusedReading) => {
      refusals.push(refused);
      return Promise.resolve({ step: said[refusals.length - 1] ?? said.at(-1), usage: {}, model: 'small' });
    },
  } as unknown as Model;
  const about = { request: requestOn(PAGE, instruction, 'Tools'), history: { replies: [], journal: [] } };
  const { reply } = await decideByReading('wanted', () => Promise.resolve(model), about, OPTIONS);
  const { context, decision, commands } = AIResponseSchema.parse(reply);
  return { isRead: !isUnread(context), message: decision.message, commands: commands.length, refusals };
}

test.each([
  ['give me the digest weekly', 'choose “Weekly” in “Digest”'],
  ['just the ones on the shelf', 'tick “On the shelf only”'],
  ['Could you please lend that hand saw now', 'click “Lend Hand saw”'],
  ['lang english us', 'choose “English (US)” in “Language”'],
  ['make it one more than it is', 'click “Add one”'],
  ['Save the State as state', 'save “State” as state'],
  ['Check that the State shows "Delivered"', 'check that “State” shows “Delivered”'],
  ['Turn off On the shelf only', 'untick “On the shelf only”'],
  ['Make sure that On the shelf only is unticked', 'check that “On the shelf only” is unticked'],
  ['Check that the page shows "Weekly digest"', 'expect “Weekly digest”'],
])('%s', async (instruction, step) => {
  expect(await read(instruction, step)).toMatchObject({ isRead: true, commands: 1 });
});

test.each([
  ['lang english us', 'choose “English (UK)” in “Language”', 'adds: English (UK)'],
  ['Check On the shelf only', 'check that “On the shelf only” is checked', 'adds: a look'],
  ['Check On the shelf only', 'expect “On the shelf only”', 'adds: a look'],
  ['Check "On the shelf only"', 'expect “On the shelf only”', 'adds: a look'],
  ['lend the hand saw to Joan Marsh', 'type “Joan Marsh” into “Find a tool”', 'adds: Find a tool'],
  ['remove Ines Rojas from the members', 'type “Ines Rojas” into “Find a tool”, then click “Invite”', 'adds: '],
  ['only tools on the shelf, search drill', 'type “drill” into “Find a tool”', 'leaves out: shelf'],
  ['the digest weekly, and the quiet time from half past eight', 'choose “Weekly” in “Digest”', 'leaves out: '],
])('a reading that says something else is not followed: %s', async (instruction, step, why) => {
  const { isRead, message } = await read(instruction, step);
  expect(isRead).toBe(false);
  expect(message).toContain(why);
});

test('a model is asked once more, with what its reading leaves out', async () => {
  const [first, second] = [
    'type “drill” into “Find a tool”',
    'tick “On the shelf only”, then type “drill” into “Find a tool”',
  ];
  const { isRead, refusals } = await read('only tools on the shelf, search drill', first, second);
  expect({ isRead, refusals }).toEqual({
    isRead: true,
    refusals: [undefined, { step: first, why: 'leaves out: shelf' }],
  });
});

test('a reading that fits is asked for once, and one that never does twice', async () => {
  expect((await read('make it one more than it is', 'click “Add one”')).refusals).toHaveLength(1);
  const { isRead, refusals } = await read('lang english us', 'choose “English (UK)” in “Language”');
  expect({ isRead, calls: refusals.length }).toEqual({ isRead: false, calls: 2 });
});

test('what the step does not name is not waited for', async () => {
  expect(await read('make it one more than it is', 'click “Add ten”')).toMatchObject({ isRead: false });
});

test('what the page has not yet is waited for, and is held against the step where it comes', async () => {
  const instruction = 'Click "Hand drill"';
  const step = 'click “Hand drill”';
  const { isRead, commands, refusals } = await read(instruction, step);
  expect({ isRead, commands, asked: refusals.length }).toEqual({ isRead: true, commands: 1, asked: 2 });
  expect(await after('Lend the hand drill to Ann', step, [control('button', 'Hand drill', 'drill')])).toMatchObject({
    isRead: false,
  });
  expect(await after(instruction, step, [control('button', 'Hand drill', 'drill')])).toMatchObject({
    commands: [{ action: 'CLICK_ELEMENT', parameters: { selector: 'ref=drill' } }],
  });
});

/** What follows on a page where a reading was waited for. */
async function after(instruction: string, step: string, nodes: Node[]) {
  const waits = { ...aReply({ commands: [aCommand('WAIT_FOR', { text: 'Hand drill' })] }), context: { reading: step } };
  const { decision, reasoning, commands } = AIResponseSchema.parse(waits);
  const outcomes = commands.map(({ action, parameters }) => ({ action, parameters, status: 'done' as const }));
  const past = { turn: 0, decision, reasoning, commands, context: waits.context, outcomes };
  const request = { ...requestOn(nodes, instruction, 'Tools'), pastIterations: [past] } as DecisionRequest;
  const history = { replies: [{ turn: 0, reply: waits }], journal: [] };
  const { reply } = await decideByReading('followed', () => Promise.reject(new Error()), { request, history }, OPTIONS);
  const parsed = AIResponseSchema.parse(reply);
  return { isRead: !isUnread(parsed.context), commands: parsed.commands };
}
