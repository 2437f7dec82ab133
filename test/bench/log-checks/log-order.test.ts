import fc from 'fast-check';
import { StreamEventType, type StreamEventData } from '../../../contracts/events/stream-event';
import { ownersOf, type LogRecord } from '../../../contracts/events/log';
import { logOrderProblems } from '../../../bench/log-checks/log-order';
import { StepStatus } from '../../../contracts/steps/step-result';

type Draft = Pick<LogRecord, 'type' | 'stepIndex' | 'data'>;
const T = StreamEventType;

const drafted = (type: StreamEventType, stepIndex?: number, data: StreamEventData = {}): Draft => ({
  type,
  ...(stepIndex === undefined ? {} : { stepIndex }),
  data,
});
const command = (commandId: string): StreamEventData => ({ command: { commandId } as never });
const step = (stepIndex: number): StreamEventData => ({
  step: { stepIndex, stepContent: 'Look', status: StepStatus.IN_PROGRESS },
});

function numbered(drafts: readonly Draft[]): LogRecord[] {
  return drafts.map((draft, index) => ({
    ...draft,
    sessionId: 's',
    seq: index + 1,
    eventId: String(index),
    owner: ownersOf(draft.type)[0]!,
    at: '2026-01-02T03:04:05.006Z',
  }));
}

/** What happens in a step, besides its own two events: commands that end well or badly, thoughts, pauses between them. */
const happening = fc.constantFrom('completed', 'failed', 'thought', 'pause', 'screenshot');

/** A whole session: its steps with what happens in each, the last one ended by a failure or not. */
const session = fc
  .record({
    steps: fc.array(fc.array(happening, { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
    isWell: fc.boolean(),
  })
  .map(({ steps, isWell }) => {
    const inside = steps.flatMap((happenings, stepIndex) => {
      const isLast = stepIndex === steps.length - 1;
      const events = happenings.flatMap((what, n) => {
        const id = `${stepIndex}.${n}`;
        if (what === 'thought') return [drafted(T.AI_REASONING, stepIndex)];
        if (what === 'pause') return [drafted(T.WORKFLOW_PAUSED), drafted(T.WORKFLOW_RESUMED)];
        if (what === 'screenshot') return [drafted(T.SCREENSHOT_CAPTURED, stepIndex)];
        const end = what === 'failed' ? T.COMMAND_FAILED : T.COMMAND_COMPLETED;
        return [drafted(T.COMMAND_STARTED, stepIndex, command(id)), drafted(end, stepIndex, command(id))];
      });
      const end = isLast && !isWell ? T.STEP_FAILED : T.STEP_COMPLETED;
      return [drafted(T.STEP_STARTED, stepIndex, step(stepIndex)), ...events, drafted(end, stepIndex, step(stepIndex))];
    });
    return [drafted(T.WORKFLOW_STARTED), ...inside, drafted(isWell ? T.WORKFLOW_COMPLETED : T.WORKFLOW_FAILED)];
  });

test('[S1.A30] a session whose events are in order has no problem', () => {
  fc.assert(fc.property(session, (drafts) => expect(logOrderProblems(numbered(drafts))).toEqual([])));
});

test('[S1.A30] a log that has an event twice, or lacks one that other events depend on, is reported', () => {
  const twiceIsWrong = /^(WORKFLOW_(COMPLETED|FAILED)|STEP_|COMMAND_(COMPLETED|FAILED))/;
  const missingIsWrong = /^(WORKFLOW_(STARTED|COMPLETED|FAILED)|STEP_|COMMAND_STARTED)/;
  fc.assert(
    fc.property(session, fc.nat(), (drafts, pick) => {
      const at = pick % drafts.length;
      const { type } = drafts[at]!;
      const twice = logOrderProblems(numbered([...drafts.slice(0, at + 1), drafts[at]!, ...drafts.slice(at + 1)]));
      expect([type, twice.length > 0]).toEqual([type, twiceIsWrong.test(type)]);
      const missing = logOrderProblems(numbered(drafts.filter((_, index) => index !== at)));
      expect([type, missing.length > 0]).toEqual([type, missingIsWrong.test(type)]);
    }),
  );
});

test('[S1.A30] an event of a step before it started, or after the session ended, is reported', () => {
  fc.assert(
    fc.property(session, fc.nat(), (drafts, pick) => {
      const at = pick % drafts.length;
      const moved = drafts[at]!;
      const others = drafts.filter((_, index) => index !== at);
      const belongs = moved.stepIndex !== undefined && moved.type !== T.STEP_STARTED;
      const first = others.findIndex(({ type, stepIndex }) => type === T.STEP_STARTED && stepIndex === moved.stepIndex);
      const early = [...others.slice(0, first), moved, ...others.slice(first)];
      expect(!belongs || logOrderProblems(numbered(early)).length > 0).toBe(true);
      expect(at === drafts.length - 1 || logOrderProblems(numbered([...others, moved])).length > 0).toBe(true);
    }),
  );
});

test('[S1.A30] a sequence number that is missing, doubled or out of order is reported', () => {
  const records = numbered([drafted(T.WORKFLOW_STARTED), drafted(T.SESSION_STATUS), drafted(T.WORKFLOW_COMPLETED)]);
  for (const seqs of [
    [1, 2, 4],
    [1, 1, 2],
    [2, 1, 3],
    [0, 1, 2],
  ])
    expect(logOrderProblems(records.map((record, index) => ({ ...record, seq: seqs[index]! })))).not.toEqual([]);
});
