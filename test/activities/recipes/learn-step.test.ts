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
