import { parentPort, workerData } from 'node:worker_threads';
import type { NumberedWork } from '../../runtime/current-work';
import { observeMainThread } from './observe-main-thread';
import { processorWaitMs } from './processor-wait';
import type { OpenStall } from './stall-recorder';
import type { StallReporting } from './stall-reporting';
import { suspectsOf } from './suspects';
import { BEAT_MS, type WatchdogData } from './watchdog';

const { beats, limits, ...where } = workerData as WatchdogData;
/** Loaded with the first stall. */
let opened: Promise<StallReporting> | undefined;
const reporting = (): Promise<StallReporting> =>
  (opened ??= import('./stall-reporting.js').then(({ openReporting }) => openReporting(where)));
/** What the main thread has begun and not ended, by number. */
const underWay = new Map<number, NumberedWork>();

parentPort!.on('message', (message: { began: NumberedWork } | { ended: number }) => {
  if ('began' in message) underWay.set(message.began.number, message.began);
  else underWay.delete(message.ended);
});

let last = Atomics.load(beats, 0);
/** Looks in a row without a beat: counted, so that a process that was stopped for a while has not stalled. */
let missed = 0;
/** What the main thread had waited for a processor at its last beat: a thread that waits its turn has not stalled. */
let waitedMs = processorWaitMs();
let open: OpenStall | undefined;

setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now === last) {
    missed += 1;
    const lastedMs = missed * BEAT_MS - (processorWaitMs() - waitedMs);
    if (open === undefined && lastedMs >= limits.stallMs) begin();
    if (limits.stallEndMs !== undefined && lastedMs >= limits.stallEndMs) void endProcess(lastedMs);
    return;
  }
  last = now;
  waitedMs = processorWaitMs();
  const stalledMs = missed * BEAT_MS;
  missed = 0;
  if (open === undefined) return;
  void end(open, stalledMs);
  open = undefined;
}, BEAT_MS);

async function end(stall: OpenStall, stalledMs: number): Promise<void> {
  const { logger, recorder } = await reporting();
  logger.warn({ stalledMs, ...stall.facts }, 'the event loop goes on after a stall');
  await recorder.end(stall);
}

function begin(): void {
  const stall: OpenStall = { ids: [], facts: {}, isRecorded: Promise.resolve() };
  open = stall;
  stall.isRecorded = record(stall);
}

async function record(stall: OpenStall): Promise<void> {
  const observed = await observeMainThread();
  const suspects = suspectsOf(observed?.work ?? null, underWay);
  const { logger, recorder } = await reporting();
  const stack = observed?.stack ?? '';
  const [first] = suspects.works;
  stall.facts = suspects.isCertain
    ? { sessionId: first?.sessionId, work: first?.name, attempt: first?.attempt, stack }
    : {
        work: `one of ${suspects.works.map(({ name, sessionId = '' }) => `${name} ${sessionId}`.trim()).join(', ')}`,
        stack,
      };
  const what = suspects.works.length === 0 ? 'no activity or request' : 'what “work” names';
  logger.warn({ ...stall.facts, limitMs: limits.stallMs }, `the event loop is stalled by ${what}`);
  await recorder.record(stall, suspects, stack);
}

let isEnding = false;

/** The record comes first, because it is what keeps the same work from stopping the next process. */
async function endProcess(lastedMs: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const limit = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), limits.stallMs));
  await Promise.race([open?.isRecorded, limit]);
  const ready = await Promise.race([reporting(), limit]);
  ready?.logger.error({ lastedMs, ...open?.facts }, 'the event loop does not go on, so this process ends itself');
  process.kill(process.pid, 'SIGKILL');
}
