import { StreamEventType } from '../contracts/events/stream-event';
import type { LogRecord } from '../contracts/events/log';
import { findTargets } from './chaos/faults/targets';
import { recoveryTimes } from './chaos/verify/recovery-times';
import { openHarness, type Harness } from './harness/harness';
import { ms, percentile, printTable } from './harness/statistics';

const KILLS = 20;
const SESSION_LIMIT_MS = 120_000;

/**
 * Measures recovery from kill -9 in the middle of a batch: for workers the time to the next command on the same page,
 * for a Chrome the time to the model's first reply on the restored page.
 */
export async function measureRecovery(): Promise<void> {
  const harness = await openHarness();
  try {
    const worker = await measure(() => recover(harness, 'worker', killWorker));
    const all = await measure(() => recover(harness, 'worker', killAllWorkers));
    const browser = await measure(() => recover(harness, 'browser', killChrome));
    printTable('Recovery', [
      row('kill -9 of the worker that drives a page to the next command there', worker, 2500),
      row('kill -9 of all browser workers, the same', all),
      row('kill -9 of a Chrome to its page restored in another', browser, 6000),
    ]);
  } finally {
    await harness.stop();
  }
}

async function measure(once: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < KILLS) times.push(await once());
  return times;
}

function row(what: string, times: readonly number[], goal?: number) {
  return {
    what: `${what} (${KILLS} kills)`,
    measured: `p50 ${ms(percentile(times, 0.5))}`,
    compared: `p99 ${ms(percentile(times, 0.99))}`,
    ...(goal === undefined ? {} : { goal: `p50 <= ${goal} ms` }),
  };
}

/** Sends a signal to the worker that drives the page, after which another worker of its host takes over. */
export async function signalWorker(
  { stack, store }: Harness,
  sessionId: string,
  signal: 'SIGKILL' | 'SIGSTOP',
): Promise<number> {
  const lease = await store.leases.get(sessionId);
  const worker = stack.processes().find(({ pid, alive }) => alive && lease?.workerId.includes(`-${pid}-`) === true);
  if (worker === undefined) throw new Error('Expected a worker that holds the session, found none.');
  process.kill(worker.pid, signal);
  return worker.pid;
}

async function killWorker(harness: Harness, sessionId: string): Promise<void> {
  await signalWorker(harness, sessionId, 'SIGKILL');
}

async function killAllWorkers({ stack }: Harness): Promise<void> {
  for (const { name, alive, pid } of stack.processes())
    if (name.startsWith('browser-') && alive) process.kill(pid, 'SIGKILL');
}

async function killChrome(harness: Harness, sessionId: string): Promise<void> {
  const chrome = findTargets(harness, 'browser').find((target) => target.sessionId === sessionId);
  if (chrome === undefined) throw new Error('Expected a Chrome of the session, found none.');
  process.kill(chrome.pid, 'SIGKILL');
}

/** Resolves to the milliseconds from the kill until the session continued. */
export async function recover(
  harness: Harness,
  what: 'worker' | 'browser',
  kill: (harness: Harness, sessionId: string) => Promise<void>,
): Promise<number> {
  const { sessions, shop } = harness;
  const fills = Array.from({ length: 25 }, (_, index) => `type "value ${index}" into Name`).join('; ');
  const { sessionId } = await sessions.start({ steps: [`Open ${shop}/parts/form`, fills] });
  const log: LogRecord[] = [];
  let at = 0;
  for await (const batch of sessions.follow(sessionId, 0, AbortSignal.timeout(SESSION_LIMIT_MS))) {
    log.push(...batch);
    const isInMiddle = batch.some(({ type, stepIndex }) => type === StreamEventType.COMMAND_STARTED && stepIndex === 1);
    if (at > 0 || !isInMiddle) continue;
    at = Date.now();
    await kill(harness, sessionId);
  }
  const waits = recoveryTimes({ at, what, affected: [sessionId] }, new Map([[sessionId, log]]));
  const waited = what === 'worker' ? waits.toCommandMs : waits.toRestoredMs;
  if (at === 0 || waited === undefined) throw new Error(`Session ${sessionId} ended before it went on after the kill.`);
  return waited;
}
