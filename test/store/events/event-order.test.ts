/** The order of S1.A30 on the real log: whatever is retried, comes late or is paused, the log is in order. */
import fc from 'fast-check';
import { CommandStatus } from '../../../contracts/commands/commands';
import { StreamEventType, type StreamEventData } from '../../../contracts/events/stream-event';
import { ownersOf, type NewRecord } from '../../../contracts/events/log';
import { logOrderProblems } from '../../../bench/log-checks/log-order';
import { payloadProblems } from '../../../bench/log-checks/payloads';
import { SessionStatus } from '../../../contracts/sessions/session';
import { StepStatus } from '../../../contracts/steps/step-result';
import { StoreRefusal } from '../../../store/database/refusals';
import type { Store } from '../../../store/store';
import { aSession } from '../../support/builders';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
}, 120_000);
afterAll(() => stack.stop());

/** One write of a session: what it appends and how the row changes with it. */
interface Write {
  records: NewRecord[];
  patch: { status?: SessionStatus; paused?: boolean; closed?: boolean };
}

const at = (): string => new Date().toISOString();
const T = StreamEventType;

function record(eventId: string, type: StreamEventType, data: StreamEventData, stepIndex?: number): NewRecord {
  return {
    eventId,
    owner: ownersOf(type)[0]!,
    type,
    at: at(),
    data,
    ...(stepIndex === undefined ? {} : { stepIndex }),
  };
}

/** The writes of a session in the order in which its workflow and its workers mean them; a pause before some commands. */
function writesOf(commandsOfSteps: readonly number[], pausedBefore: ReadonlySet<number>): Write[] {
  const step = (stepIndex: number, status: StepStatus): StreamEventData => ({
    step: { stepIndex, stepContent: 'Look', status },
  });
  const writes: Write[] = [
    { records: [record('start', T.WORKFLOW_STARTED, {})], patch: { status: SessionStatus.ACTIVE } },
  ];
  let commands = 0;
  for (const [stepIndex, count] of commandsOfSteps.entries()) {
    const began = record(`s${stepIndex}/began`, T.STEP_STARTED, step(stepIndex, StepStatus.IN_PROGRESS), stepIndex);
    writes.push({ records: [began], patch: {} });
    for (let n = 0; n < count; n += 1) {
      commands += 1;
      if (pausedBefore.has(commands)) {
        const [PAUSED, ACTIVE] = [SessionStatus.PAUSED, SessionStatus.ACTIVE];
        writes.push({
          records: [record(`p${commands}`, T.WORKFLOW_PAUSED, {})],
          patch: { status: PAUSED, paused: true },
        });
        writes.push({
          records: [record(`r${commands}`, T.WORKFLOW_RESUMED, {})],
          patch: { status: ACTIVE, paused: false },
        });
      }
      const command = (status: CommandStatus): StreamEventData => ({
        command: { commandId: `c${commands}`, action: 'GET_DOM', parameters: {}, status },
      });
      const started = record(`c${commands}/started`, T.COMMAND_STARTED, command(CommandStatus.EXECUTING), stepIndex);
      const done = record(`c${commands}/completed`, T.COMMAND_COMPLETED, command(CommandStatus.COMPLETED), stepIndex);
      writes.push({ records: [started], patch: {} }, { records: [done], patch: {} });
    }
    const ended = record(`s${stepIndex}/ended`, T.STEP_COMPLETED, step(stepIndex, StepStatus.COMPLETED), stepIndex);
    writes.push({ records: [ended], patch: {} });
  }
  const end = record('end', T.WORKFLOW_COMPLETED, {});
  return [...writes, { records: [end], patch: { status: SessionStatus.COMPLETED, closed: true } }];
}

/** A repeated attempt writes its records again, some with what came after them, and never the state of the row. */
async function repeat(sessionId: string, writes: readonly Write[], from: number, count: number): Promise<void> {
  const records = writes.slice(from, from + count).flatMap((write) => write.records);
  await store.log.append(sessionId, records).catch((error: unknown) => {
    // After the end nothing is taken any more, not even what is known.
    if (!(error instanceof StoreRefusal) || error.reason !== 'closed') throw error;
  });
}

const plan = fc.record({
  commandsOfSteps: fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }),
  pausedBefore: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }).map((all) => new Set(all)),
  /** After which write, which of those until then come again. */
  retries: fc.array(fc.record({ after: fc.nat(40), from: fc.nat(40), count: fc.integer({ min: 1, max: 6 }) }), {
    maxLength: 12,
  }),
});

test('[S1.A30, S1.R13, S1.R25] over random retries and pauses the log is in order, each event in it once', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ commandsOfSteps, pausedBefore, retries }) => {
      const sessionId = await aSession(store);
      const writes = writesOf(commandsOfSteps, pausedBefore);
      for (const [index, { records, patch }] of writes.entries()) {
        const now = retries.filter(({ after }) => after % writes.length === index);
        const before = now.map(({ from, count }) =>
          repeat(sessionId, writes.slice(0, index), from % (index + 1), count),
        );
        // Late attempts and the write itself race one another.
        await Promise.all([...before, store.log.append(sessionId, records, { patch })]);
        await Promise.all(
          now.map(({ from, count }) => repeat(sessionId, writes.slice(0, index + 1), from % (index + 1), count)),
        );
      }
      const log = await store.log.read(sessionId, 0, 1000);
      expect(logOrderProblems(log)).toEqual([]);
      expect(payloadProblems(log)).toEqual([]);
      expect(log.map(({ eventId }) => eventId)).toEqual(
        writes.flatMap(({ records }) => records.map(({ eventId }) => eventId)),
      );
      expect((await store.sessions.get(sessionId))?.status).toBe(SessionStatus.COMPLETED);
    }),
    { numRuns: 15 },
  );
}, 300_000);
