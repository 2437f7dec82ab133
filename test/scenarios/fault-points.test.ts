/** One demo session for each point at which a process can die: each completes, with exactly one order. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestsIn } from '../../contracts/commands/evidence';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { stepByStep } from '../../bench/harness/step-by-step';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { isOpen } from '../../contracts/sessions/session';
import { logFilePath } from '../../cli/stack/supervisor/log-file';
import { armFaults, faultsFired, FAULTS_BY_FILE } from '../../runtime/fault-point';
import type { JournalEntry } from '../../store/journal/journal';
import { sessionIdFromKey } from '../../store/sessions/session-id';
import { attend } from '../support/attend';
import { eventually } from '../support/eventually';
import { chromesOf } from '../support/kill';
import { presses, pressTask } from '../support/model-server/presser';
import { startModelServer, vertexAt, type ModelServer } from '../support/model-server/server';
import { pause, untilHeard } from '../support/until-taken';
import { COMMIT_OF_DEMO, demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

/** Generous: many machines that run this are busy with other tests as well. */
const END_WITHIN_MS = 100_000;
jest.setTimeout(120_000);

let stack: WholeStack;
let vendor: ModelServer;

beforeAll(async () => {
  vendor = await startModelServer();
  const { SUREFOOT_MODEL: _, ...vertex } = vertexAt(vendor);
  const tools = { SUREFOOT_TOOLS: join(__dirname, '..', 'support', 'press-tool.js') };
  // So low that each session is handed over to a next run of its workflow.
  stack = await startWholeStack(
    { ...FAULTS_BY_FILE, ...vertex, ...tools },
    {
      wants: (name) => name !== 'api',
      temporalSettings: { 'limit.historyCount.suggestContinueAsNew': '30' },
    },
  );
}, 120_000);
afterAll(async () => {
  await stack.stop();
  await vendor.stop();
}, 60_000);

const isCommit = ({ target }: JournalEntry): boolean => target?.['name'] === 'Place order';

interface Played {
  run: string;
  sessionId: string;
  journal: JournalEntry[];
}

/** Runs the demo and expects of it what every session has to keep, whatever dies meanwhile. */
async function play(
  meanwhile: (sessionId: string, run: string) => Promise<void>,
  faults = '',
  executorConfig: { timeoutMs?: number } = {},
  endWithinMs = END_WITHIN_MS,
  asWritten = (request: StartRequest): StartRequest => request,
): Promise<Played> {
  const run = randomUUID();
  armFaults(stack.home, faults, sessionIdFromKey('default', run));
  const demo = demoRequest(stack, run);
  const request = { ...demo, config: { executorConfig: { ...demo.config?.executorConfig, ...executorConfig } } };
  const { sessionId } = await stack.client.start(asWritten(request), { idempotencyKey: run });
  const [status] = await Promise.all([endOf(stack, sessionId, endWithinMs), meanwhile(sessionId, run)]);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toEqual([
    expect.objectContaining({ items: [expect.objectContaining({ quantity: 1 })] }),
  ]);
  expect(logOrderProblems(await stack.logOf(sessionId))).toEqual([]);
  return { run, sessionId, journal: await stack.engineStore.journal.ofSession(sessionId) };
}

/** The session in which the faults happen, all of them. */
async function playWith(faults: string, asWritten?: (request: StartRequest) => StartRequest): Promise<Played> {
  const played = await play(async () => {}, faults, {}, END_WITHIN_MS, asWritten);
  expect(faultsFired(stack.home, played.sessionId)).toHaveLength(faults.split(',').length);
  expect(played.journal.findIndex(isCommit) + 1).toBe(COMMIT_OF_DEMO);
  return played;
}

/** The press on Place order as the journal has it, and whether every other command is done at the end. */
function pressesOf({ journal }: Played): object {
  const presses = journal.filter(isCommit).map(({ status, attempts, resolution }) => ({
    status,
    attempts,
    ...(resolution === undefined ? {} : { judgedBy: resolution.by, happened: resolution.happened }),
  }));
  const others = journal.filter((entry) => !isCommit(entry));
  return { presses, areOthersDone: others.every(({ status }) => status === 'done') };
}

it.each([
  [
    'before its intent is in the journal: the next worker presses. It dies after the outcome: the recorded answer is used',
    ['before-intent', 'after-outcome'],
    { status: 'done', attempts: 1 },
  ],
  [
    'after its intent, before the press: the mark is still armed, so the next worker presses. It dies after the press, before its outcome: it is recorded as unknown, judged by its request and not pressed again',
    ['after-intent', 'after-act'],
    { status: 'unknown', attempts: 2, judgedBy: 'model', happened: true },
  ],
] as const)('a worker dies at Place order %s', async (_, points, press) => {
  const faults = points.map((point) => `kill@${point}:${COMMIT_OF_DEMO}`);
  expect(pressesOf(await playWith(faults.join()))).toEqual({ presses: [press], areOthersDone: true });
});

it.each([
  [
    'with the lease taken and no Chrome yet, with the page read and its checkpoint not written, and before it writes a batch of records',
    'kill@during-acquire:1,kill@during-checkpoint:1,kill@before-append:5',
  ],
  [
    'between two commands, after it wrote a batch of records, and with a sign-in through and its checkpoint not written',
    'kill@between-commands:3,kill@after-append:5,kill@during-checkpoint:3',
  ],
  ['between two steps of a row, as its successor does', 'kill@between-steps:2,kill@between-steps:4'],
  [
    'and the one that takes over from it dies too, before the old sockets are cut',
    'kill@after-intent:11,kill@during-takeover:1',
  ],
])('a worker of a session dies %s: the session goes on', async (_, faults) => {
  expect(pressesOf(await playWith(faults))).toEqual({
    presses: [{ status: 'done', attempts: 1 }],
    areOthersDone: true,
  });
});

it('engine workers die while the model is asked, with its reply kept, and in a handover', async () => {
  const played = await playWith('kill@during-model-call:3,kill@after-reply:4,kill@during-handover:1', stepByStep);
  expect(pressesOf(played)).toEqual({ presses: [{ status: 'done', attempts: 1 }], areOthersDone: true });
});

/** The log of a task that has ended well, with one reply and at most one message of results for each of its turns. */
async function wholeTask(sessionId: string): Promise<LogRecord[]> {
  const { session, error } = await stack.client.get(sessionId);
  expect({ status: session.status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  const log = await stack.logOf(sessionId);
  expect(logOrderProblems(log)).toEqual([]);
  const replies = log.filter(({ type }) => type === StreamEventType.AI_RESPONSE_RECEIVED).map(({ turn }) => turn);
  expect(replies).toEqual(replies.map((_, turn) => turn));
  const messages = await stack.engineStore.messages.ofStep(sessionId, 0);
  expect(messages.map(({ kind, turn }) => `${turn} ${kind}`)).toEqual(
    replies.flatMap((_, turn) => [`${turn} ${turn === 0 ? 'task' : 'results'}`, `${turn} reply`]),
  );
  return log;
}

/** The demo as one task; `atOrder` is armed while Place order waits for its approval, when all of `faults` have happened. */
async function playTask(faults: string, atOrder: string): Promise<Played & { asked: string[] }> {
  const run = randomUUID();
  const id = sessionIdFromKey('default', run);
  const fired = (): number => faultsFired(stack.home, id).length;
  armFaults(stack.home, faults, id);
  const { steps, ...request } = demoRequest(stack, run);
  const task = (steps as string[]).join('\n').replaceAll('${shop}', stack.shop);
  const { sessionId } = await stack.client.start({ ...request, steps: [{ task }] }, { idempotencyKey: run });
  const asked: string[] = [];
  const before: number[] = [];
  const onAsked = (question: string): void => {
    asked.push(question);
    if (!question.includes('Place order') || before.length > 0) return;
    before.push(fired());
    armFaults(stack.home, atOrder, id);
  };
  await attend(stack, { sessionId, run }, { onAsked });
  expect([...before, fired()]).toEqual([faults.split(',').length, atOrder.split(',').length]);
  expect(await stack.orders(run)).toHaveLength(1);
  await wholeTask(sessionId);
  return { run, sessionId, journal: await stack.engineStore.journal.ofSession(sessionId), asked };
}

async function counted(run: string): Promise<number> {
  return ((await (await fetch(`${stack.shop}/admin/counter?run=${run}`)).json()) as { count: number }).count;
}

/** Two presses by a tool of the engine workers, called in one reply; resolves to what people were asked. */
async function playPresses(faults: string): Promise<string[]> {
  const run = randomUUID();
  const id = sessionIdFromKey('default', run);
  const labels = [`${run}-a`, `${run}-b`] as const;
  armFaults(stack.home, faults, id);
  const steps = [{ task: pressTask(stack.shop, labels) }];
  const config = { aiConfig: { model: 'vertexai/gemini-2.5-flash' } };
  const { sessionId } = await stack.client.start({ steps, config }, { idempotencyKey: run });
  const asked: string[] = [];
  await attend(stack, { sessionId, run }, { onAsked: (question) => asked.push(question) });
  await wholeTask(sessionId);
  expect(await Promise.all(labels.map(counted))).toEqual([1, 1]);
  expect(faultsFired(stack.home, sessionId)).toHaveLength(faults.split(',').length);
  return asked;
}

it('engine workers die in the turns and tools of a task: each message and each press is once', async () => {
  vendor.play(presses);
  const turns = ['before-turn:2', 'after-reply:4', 'before-plan:6'];
  // Side by side, because none of what dies here drives a browser.
  const [played, between, after] = await Promise.all([
    playTask(turns.map((point) => `kill@${point}`).join(), 'kill@after-append:1'),
    // Between the two calls, then in the middle of the second.
    playPresses('kill@before-intent:2,kill@during-tool:2'),
    // The first has acted and nobody knows; what came of the second is known, and nothing was published.
    playPresses('kill@after-act:1,kill@after-outcome:2'),
  ]);
  expect(pressesOf(played)).toEqual({ presses: [{ status: 'done', attempts: 1 }], areOthersDone: true });
  expect([between.length, after.length].every((times) => times > 0)).toBe(true);
}, 240_000);

it('browser workers die around the press that a person has approved: there is one order', async () => {
  const played = await playTask('kill@between-commands:3,kill@before-intent:6', 'kill@after-intent:1,kill@after-act:1');
  expect(pressesOf(played)).toEqual({
    presses: [{ status: 'unknown', attempts: 2, judgedBy: 'person', happened: true }],
    areOthersDone: true,
  });
  expect(played.asked.at(-1)).toBe('unknown-outcome');
}, 240_000);

it('a worker dies while it restores a Chrome that was killed: the restore begins anew', async () => {
  const played = await play(async (sessionId) => {
    await recordOf(
      stack,
      sessionId,
      'the end of step 5',
      ({ type, stepIndex }) => type === StreamEventType.STEP_COMPLETED && stepIndex === 5,
    );
    process.kill(chromesOf(stack, sessionId)[0]!, 'SIGKILL');
    await eventually('the worker dies too', () => faultsFired(stack.home, sessionId).length === 1, 50_000);
  }, 'kill@during-restore:1');
  expect(played.journal.filter(isCommit)).toEqual([expect.objectContaining({ status: 'done' })]);
});

const frozenOnes = () =>
  stack.stack.processes().filter(({ pid }) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));

it('a worker frozen on its way to say that the session is paused pauses nothing when it wakes', async () => {
  const run = randomUUID();
  const steps = [`Open ${stack.shop}/parts/counter?run=${run}`, 'Wait 6 seconds', 'Click "Add one"'];
  const { sessionId } = await stack.client.start({ steps }, { idempotencyKey: run });
  const isWaiting = ({ type, stepIndex }: LogRecord): boolean =>
    type === StreamEventType.COMMAND_STARTED && stepIndex === 1;
  await recordOf(stack, sessionId, 'the wait', isWaiting);
  armFaults(stack.home, 'stop@before-append:1', sessionId);
  await pause(stack, sessionId);
  await recordOf(stack, sessionId, 'the pause', ({ type }) => type === StreamEventType.WORKFLOW_PAUSED);
  const frozen = frozenOnes();
  expect(frozen).toHaveLength(1);
  await untilHeard(
    'the resume',
    () => stack.client.resume(sessionId),
    async () => (await stack.client.get(sessionId)).session.status !== 'PAUSED',
  );
  await recordOf(stack, sessionId, 'the resume', ({ type }) => type === StreamEventType.WORKFLOW_RESUMED);
  for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  expect(await endOf(stack, sessionId, END_WITHIN_MS)).toBe('COMPLETED');
  expect(logOrderProblems(await stack.logOf(sessionId))).toEqual([]);
  expect(await counted(run)).toBe(1);
});

it('a worker frozen just before it presses, that wakes when its session was taken over, presses nothing', async () => {
  const played = await playWith(`stop@after-intent:${COMMIT_OF_DEMO}`);
  const frozen = frozenOnes();
  expect(frozen.map(({ name }) => name)).toEqual([expect.stringMatching(/^browser-/)]);
  for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  await eventually('its own log says that it was cut off', () =>
    readFileSync(logFilePath(stack.home, frozen[0]!.name), 'utf8').includes('this worker stops'),
  );
  // It beats again once it is awake: a further session can be given to it, and nothing more came of the old one.
  const { sessionId } = await stack.client.start({ steps: [`Open ${stack.shop}/`] });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  // It was busy, or looked like it, for longer than its heartbeat: that costs time, and never a second commit.
  expect(await stack.orders(played.run)).toHaveLength(1);
  expect(pressesOf(played)).toEqual({ presses: [{ status: 'done', attempts: 2 }], areOthersDone: true });
});

it('both workers die while the order has no answer: the next one finds it in the same Chrome', async () => {
  const timeoutMs = 10_000;
  const answerMs = 2.5 * timeoutMs;
  const chromes = new Set<number>();
  const seeChromes = (sessionId: string): void => {
    for (const pid of chromesOf(stack, sessionId)) chromes.add(pid);
  };
  const played = await play(
    async (sessionId, run) => {
      const faults = `${stack.shop}/admin/faults`;
      const fault = { kind: 'slow', path: '/orders', method: 'POST', run, delayMs: answerMs };
      expect((await fetch(faults, { method: 'POST', body: JSON.stringify(fault) })).ok).toBe(true);
      const isSent = async () => !(await (await fetch(faults)).text()).includes(run);
      await eventually('the order is sent', isSent, 60_000);
      for (const name of ['browser-1', 'browser-2']) process.kill(stack.pidOf(name), 'SIGKILL');
      await eventually(
        'the order is answered',
        async () => {
          seeChromes(sessionId);
          return (await stack.orders(run)).length === 1;
        },
        2 * answerMs,
      );
      await eventually(
        'the session ends',
        async () => {
          seeChromes(sessionId);
          return !isOpen((await stack.client.get(sessionId)).session.status);
        },
        END_WITHIN_MS,
      );
    },
    '',
    { timeoutMs },
    2 * END_WITHIN_MS,
  );
  expect(chromes.size).toBe(1);
  expect(pressesOf(played)).toEqual({ presses: [expect.objectContaining({ attempts: 1 })], areOthersDone: true });
  const press = played.journal.find(isCommit)!;
  expect(press.status === 'done' || press.resolution?.happened).toBe(true);
  expect(requestsIn(press.evidence)).toContainEqual(expect.objectContaining({ method: 'POST', status: 303 }));
}, 240_000);
