import { DecisionAction } from '../../contracts/models/ai-response';
import { afterUnknown } from '../../workflows/steps/after-unknown';
import { anUnknown, planned } from '../support/fake-activities';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { UnknownJudgement } from '../../contracts/approvals/unknown-outcome';

const { PROCEED, RETRY, ABORT } = DecisionAction;

const target = (role: string, name: string) => ({ selector: `role=${role}`, role, name, nth: 0, of: 1 });
const again: PlannedCommand = { ...planned('c9'), target: target('button', 'Place order') };
const looking: PlannedCommand = planned('c9', 'GET_DOM');
const other: PlannedCommand = { ...planned('c9'), target: target('link', 'Orders') };

test.each<[what: string, DecisionAction, PlannedCommand[], UnknownJudgement | undefined, kind: string]>([
  ['goes on without a commit: what it looks for may not be there', PROCEED, [looking], undefined, 'go-on'],
  ['goes on with another commit, which may be the same by another way', PROCEED, [other], undefined, 'ask'],
  ['goes on with another commit, and says that it happened', PROCEED, [other], 'happened', 'judged'],
  ['looks further by a commit', RETRY, [other], undefined, 'ask'],
  ['says that nothing is left to do', PROCEED, [], undefined, 'judged'],
  ['looks further', RETRY, [looking], undefined, 'go-on'],
  ['looks further, but says that it happened', RETRY, [other], 'happened', 'judged'],
  ['gives up', ABORT, [], undefined, 'ask'],
  ['gives up for another reason, and says that it happened', ABORT, [], 'happened', 'judged'],
  ['says that it cannot know', ABORT, [], 'cannot-know', 'ask'],
  ['says that it cannot know and goes on nevertheless', PROCEED, [other], 'cannot-know', 'ask'],
  ['would repeat it', PROCEED, [again], undefined, 'ask'],
  ['would repeat it after something else', RETRY, [other, again], undefined, 'ask'],
  ['would repeat it, and says that it happened', PROCEED, [again], 'happened', 'ask'],
])('of a commit of unknown outcome, a model that %s', (_what, decision, commands, judgement, kind) => {
  const hasCommit = commands.some((command) => command !== looking);
  const next = afterUnknown({ decision, commands, judgement, hasCommit }, [anUnknown()]);
  const { isJudged: _isJudged, ...unknown } = anUnknown();
  expect(next).toEqual({
    kind,
    ...(kind === 'judged' ? { commandIds: ['c1'] } : {}),
    ...(kind === 'ask' ? { unknown } : {}),
  });
});

test('without a commit of unknown outcome every reply goes on', () => {
  for (const decision of [PROCEED, RETRY, ABORT])
    expect(afterUnknown({ decision, commands: [again], judgement: 'cannot-know' }, [])).toEqual({ kind: 'go-on' });
});

test('a commit that an earlier reply took as done is not asked about again, unless it would be repeated', () => {
  const judged = [anUnknown({ isJudged: true })];
  expect(afterUnknown({ decision: ABORT, commands: [] }, judged)).toEqual({ kind: 'go-on' });
  expect(afterUnknown({ decision: PROCEED, commands: [other], hasCommit: true }, judged)).toEqual({ kind: 'go-on' });
  expect(afterUnknown({ decision: PROCEED, commands: [again] }, judged)).toMatchObject({ kind: 'ask' });
});

test.each<[what: string, change: Partial<PlannedCommand>, kind: string]>([
  [
    'an equal element at another place, where what was done may have moved it',
    { target: { ...again.target!, nth: 1, of: 2 } },
    'ask',
  ],
  ['an element that is given by a selector alone', { target: undefined, parameters: { selector: '#buy' } }, 'ask'],
  ['another action', { action: 'PRESS_KEY', parameters: { selector: '#buy', key: 'Enter' } }, 'judged'],
  ['another role of the same name', { target: target('link', 'Place order') }, 'judged'],
])('what counts as the same commit, also once it is judged: %s', (_what, change, kind) => {
  const reply = { decision: PROCEED, commands: [{ ...again, ...change }], judgement: 'happened' } as const;
  expect(afterUnknown(reply, [anUnknown()]).kind).toBe(kind);
});

test('a key is the same commit only when it is the same key', () => {
  const { target: _target, ...unknown } = anUnknown({ action: 'PRESS_KEY', key: 'Enter', what: 'Enter' });
  const press = (key: string): PlannedCommand => ({ commandId: 'c9', action: 'PRESS_KEY', parameters: { key } });
  const judged = { decision: PROCEED, judgement: 'happened' } as const;
  expect(afterUnknown({ ...judged, commands: [press('Enter')] }, [unknown]).kind).toBe('ask');
  expect(afterUnknown({ ...judged, commands: [press('Tab')] }, [unknown]).kind).toBe('judged');
});

test.each<[judgement: UnknownJudgement | undefined, decision: DecisionAction]>([
  ['happened', PROCEED],
  ['happened', RETRY],
  ['cannot-know', RETRY],
  [undefined, PROCEED],
  [undefined, ABORT],
])(
  'a commit that the database has forgotten goes to a person, though a model says %s and %s',
  (judgement, decision) => {
    const forgotten = { ...anUnknown({ commandId: 'forgotten', witnesses: 'It was begun.' }), isJudged: true };
    const next = afterUnknown({ decision, commands: [], judgement }, [anUnknown(), forgotten]);
    expect(next).toMatchObject({ kind: 'ask', unknown: { commandId: 'forgotten', witnesses: 'It was begun.' } });
  },
);
