/** What a recipe is learnt from: the commands that did the step, and what the page showed then. */
import { recipeRoundsOf } from '../../../activities/engine/recipes/learn-step';
import { AIResponseSchema, DecisionAction } from '../../../contracts/models/ai-response';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { JournalEntry } from '../../../store/journal/journal';
import type { ReplyRow } from '../../../store/models/step-memory';
import { aReply } from '../../support/builders';
import { anObservedCommand } from '../../support/evidence';

const url = 'https://shop.test/form';
const click: PlannedCommand = { commandId: 'c1', action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e1' } };
const wait: PlannedCommand = { commandId: 'c2', action: 'WAIT_FOR', parameters: { seconds: 2.5 } };

function aRow(turn: number, commands: PlannedCommand[], context = {}, texts: string[] = []): ReplyRow {
  const decision = 'secondLook' in context ? 'RETRY' : 'PROCEED';
  const reply = AIResponseSchema.parse({
    ...aReply({ decision }),
    commands: commands.map(({ action, parameters }) => ({ action, parameters })),
    context,
  });
  const sighting = { url, texts, said: [], commands: commands.map(() => ({})) };
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  return { turn, reply, model: 'rules', usage, commands, sighting };
}

function done({ commandId, action, parameters }: PlannedCommand, position: number): JournalEntry {
  const evidence = anObservedCommand({ urlBefore: url, urlAfter: url });
  const place = { commandId, action, parameters, stepIndex: 0, turn: position, position: 0, pageUrl: url };
  return { ...place, effect: 'commit', status: 'done', attempts: 1, intendedAt: new Date(0), evidence };
}

const learnt = (replies: ReplyRow[], instruction = 'click Keep') =>
  recipeRoundsOf({
    instruction,
    replies,
    journal: [click, wait].map(done),
    acts: [],
    seenAfter: undefined,
    values: new Map(),
    unspoken: new Map(),
  });

test('a step whose click was looked at again is learnt without the time in which the page was left alone', () => {
  const look = aRow(1, [wait], { secondLook: { shown: [] } }, ['Kept']);
  expect(learnt([aRow(0, [click]), look, aRow(2, [])])).toMatchObject([
    { commands: [{ action: 'CLICK_ELEMENT' }], after: { texts: ['Kept'] } },
  ]);
});

test('a step that was corrected is not learnt', () => {
  const again = aRow(1, [click], {}, ['Kept']);
  again.reply.decision.action = DecisionAction.RETRY;
  expect(learnt([aRow(0, [click]), again, aRow(2, [])])).toBeUndefined();
});

describe('a step that a model has done part by part, with “act” on the way', () => {
  const look: PlannedCommand = { commandId: 'c3', action: 'GET_DOM', parameters: {} };
  const submit: PlannedCommand = { commandId: 'c4', action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e2' } };
  const back: PlannedCommand = { commandId: 'c5', action: 'GO_BACK', parameters: {} };

  function ofModel(row: ReplyRow, action: DecisionAction, worked?: boolean): ReplyRow {
    const { reply } = row;
    const judged =
      worked === undefined ? {} : { resultValidation: { success: worked, expectedElements: [], actualState: '' } };
    return { ...row, model: 'ai:openai/one', reply: { ...reply, decision: { ...reply.decision, action, ...judged } } };
  }
  const { RETRY, PROCEED } = DecisionAction;
  const learntOf = (replies: ReplyRow[]) =>
    recipeRoundsOf({
      instruction: 'click Keep, then Send',
      replies,
      journal: [click, look, submit, back].map(done),
      acts: [],
      seenAfter: undefined,
      values: new Map(),
      unspoken: new Map(),
    });

  test('is learnt, without its looks at the page', () => {
    const replies = [
      ofModel(aRow(0, [click]), RETRY),
      ofModel(aRow(1, [look], {}, ['Kept']), RETRY, true),
      ofModel(aRow(2, [submit]), PROCEED, true),
      ofModel(aRow(3, [], {}, ['Sent']), PROCEED, true),
    ];
    expect(learntOf(replies)).toMatchObject([
      { commands: [{ parameters: { selector: 'ref=e1' } }], after: { texts: ['Kept'] } },
      { commands: [{ parameters: { selector: 'ref=e2' } }], after: { texts: ['Sent'] } },
    ]);
  });

  test.each<[string, PlannedCommand, boolean | undefined]>([
    ['a part that the model says has not worked', submit, false],
    ['the same element twice', click, true],
    ['a way back', back, true],
  ])('is not learnt with %s', (_, second, worked) => {
    const replies = [
      ofModel(aRow(0, [click]), RETRY),
      ofModel(aRow(1, [second], {}, ['Kept']), RETRY, worked),
      ofModel(aRow(2, [submit]), PROCEED, true),
      ofModel(aRow(3, [], {}, ['Sent']), PROCEED, true),
    ];
    expect(learntOf(second === submit ? replies.toSpliced(2, 1) : replies)).toBeUndefined();
  });
});

test.each([
  'choose tomorrow in Arrival',
  'click the day of next Friday',
  'choose a day in two weeks',
  'open the report of 3 months ago',
])('a step whose words mean another day each time is not learnt: %s', (instruction) => {
  expect(learnt([aRow(0, [click]), aRow(1, [], {}, ['Kept'])], instruction)).toBeUndefined();
});

test.each(['click "Next month"', 'click Keep for the last name', 'click "Order for tomorrow"'])(
  'a step that names what the page says is learnt: %s',
  (instruction) => {
    expect(learnt([aRow(0, [click]), aRow(1, [], {}, ['Kept'])], instruction)).toHaveLength(1);
  },
);
