/** One demo session for each point at which a process can die: each completes, with exactly one order. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamEventType } from '../../contracts/events';
import { orderProblems } from '../../contracts/log-order';
import { listMarkers } from '../../keeper/marker';
import { armFaults, faultsFired, FAULTS_BY_FILE } from '../../runtime/fault-point';
import type { JournalEntry } from '../../store/journal';
import { eventually } from '../support/eventually';
import { demoRequest, endOf, recordOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
/** Which of the session's commands places the order, counted from 1. */
let commit: number;

beforeAll(async () => {
  stack = await startWholeStack(FAULTS_BY_FILE);
  const { journal } = await play(async () => {});
  commit = journal.findIndex(isCommit) + 1;
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const isCommit = ({ target }: JournalEntry): boolean => target?.['name'] === 'Place order';

interface Played {
  run: string;
  journal: JournalEntry[];
}

/** Runs the demo and expects of it what every session has to keep, whatever dies meanwhile. */
async function play(meanwhile: (sessionId: string) => Promise<void>): Promise<Played> {
  const run = randomUUID();
  const { sessionId } = await stack.client.start(demoRequest(stack, run));
  const [status] = await Promise.all([endOf(stack, sessionId), meanwhile(sessionId)]);
  const { error } = await stack.client.get(sessionId);
  expect({ status, error: error?.message }).toEqual({ status: 'COMPLETED', error: undefined });
  expect(await stack.orders(run)).toEqual([
    expect.objectContaining({ items: [expect.objectContaining({ quantity: 1 })] }),
  ]);
  expect(orderProblems(await stack.logOf(sessionId))).toEqual([]);
  return { run, journal: await stack.engineStore.journal.ofSession(sessionId) };
}

async function playWith(faults: string): Promise<Played> {
  armFaults(stack.home, faults);
  return await play(async () => {
    await eventually(`${faults} happens`, () => faultsFired(stack.home).length === faults.split(',').length, 50_000);
  });
}

/** The press on Place order as the journal tells it, and whether every other command is done at the end. */
function told({ journal }: Played): object {
  const presses = journal.filter(isCommit).map(({ status, attempts }) => ({ status, attempts }));
  const others = journal.filter((entry) => !isCommit(entry));
  return { presses, areOthersDone: others.every(({ status }) => status === 'done') };
}

it.each([
  ['before its intent is in the journal: the next worker presses', 'before-intent', { status: 'done', attempts: 1 }],
  [
    'after its intent, before the press: the mark is still armed, so the next worker presses',
    'after-intent',
    { status: 'done', attempts: 2 },
  ],
  [
    'after the press, before its outcome: it is recorded as unknown and not pressed again',
    'after-act',
    { status: 'unknown', attempts: 1 },
  ],
  ['after its outcome: the recorded answer is used', 'after-outcome', { status: 'done', attempts: 1 }],
] as const)('a worker dies at Place order %s', async (_, point, press) => {
  expect(told(await playWith(`kill@${point}:${commit}`))).toEqual({ presses: [press], areOthersDone: true });
});

it.each([
  ['between two commands', 'kill@between-commands:3'],
  ['before it writes a batch of records', 'kill@before-append:5'],
  ['after it wrote a batch of records', 'kill@after-append:5'],
  ['with the lease taken and no Chrome yet', 'kill@during-acquire:1'],
  ['with the reply of the model kept and not told', 'kill@after-reply:4'],
  ['with the page read and its checkpoint not written', 'kill@during-checkpoint:1'],
  [
    'and the one that takes over from it dies too, before the old sockets are cut',
    'kill@after-intent:11,kill@during-takeover:1',
  ],
])('a worker dies %s: the session goes on', async (_, faults) => {
  expect(told(await playWith(faults))).toEqual({ presses: [{ status: 'done', attempts: 1 }], areOthersDone: true });
});

it('a worker dies while it restores a Chrome that was killed: the restore begins anew', async () => {
  armFaults(stack.home, 'kill@during-restore:1');
  const played = await play(async (sessionId) => {
    await recordOf(
      stack,
      sessionId,
      'the end of step 5',
      ({ type, stepIndex }) => type === StreamEventType.STEP_COMPLETED && stepIndex === 5,
    );
    const chrome = listMarkers(join(stack.home, 'browsers', 'local')).find(
      (kept) => kept.marker?.sessionId === sessionId,
    );
    process.kill(chrome!.marker!.pid, 'SIGKILL');
    await eventually('the worker dies too', () => faultsFired(stack.home).length === 1, 50_000);
  });
  expect(played.journal.filter(isCommit)).toEqual([expect.objectContaining({ status: 'done' })]);
});

it('a worker frozen just before it presses, that wakes when its session was taken over, presses nothing', async () => {
  const played = await playWith(`stop@after-intent:${commit}`);
  const frozen = stack.stack.processes().filter(({ pid }) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  expect(frozen.map(({ name }) => name)).toEqual([expect.stringMatching(/^browser-/)]);
  for (const { pid } of frozen) process.kill(pid, 'SIGCONT');
  // It beats again once it is awake: a further session can be given to it, and nothing more came of the old one.
  await play(async () => {});
  expect(await stack.orders(played.run)).toHaveLength(1);
});
