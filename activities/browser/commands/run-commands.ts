import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import type { ActivityCall } from '../../activity/activity';
import { workerReplacedRecord } from '../../recorded/command-records';
import type { Lease, RunCommandsInput, RunCommandsOutput } from '../../signatures/browser-activities';
import type { Attachment } from '../attach/attachment';
import type { Attachments } from '../attach/attachments';
import type { BrowserDeps } from '../attach/browser-deps';
import { toFencingError } from '../attach/fencing';
import { asConnectionLoss, browserGoneError, relayClosedError } from '../attach/playwright-errors';
import { EngineError } from '../../activity/failures';
import { writeOutbox } from '../../activity/write-outbox';
import { runBatch } from './run-batch';

/**
 * Runs the commands of one reply in order, to the first that fails, then takes a snapshot of the page. Running it again
 * is safe at any moment: what the journal has as done is not done again, what may be repeated is, and a commit that was
 * under way is resolved first.
 */
export async function runCommands(
  deps: BrowserDeps,
  input: RunCommandsInput,
  call: ActivityCall,
): Promise<RunCommandsOutput> {
  const { store } = deps;
  const { sessionId } = input;
  // Written while this worker looks for its browser, and before the first command.
  const outboxWritten = writeOutbox(store, sessionId, call.runId, input.outbox);
  outboxWritten.catch(() => {});
  try {
    const output = await runAttached(deps, input, call, outboxWritten);
    await outboxWritten;
    return output;
  } finally {
    // Also after an error: it must not be written after what the next attempt writes.
    await outboxWritten.catch(() => {});
  }
}

async function runAttached(
  deps: BrowserDeps,
  input: RunCommandsInput,
  call: ActivityCall,
  outboxWritten: Promise<void>,
): Promise<RunCommandsOutput> {
  const { store, attachments } = deps;
  const { sessionId, executor } = input;
  if (attachments.isEnding()) return handOver(input);
  const holder = { ...call, knownEpoch: input.lease.epoch };
  const { attachment, lease, replacesWorker } = await attachments.use(sessionId, holder, {
    timeoutMs: executor.timeoutMs,
    signal: call.signal,
    leavesWhenAborted: true,
  });
  // One that was asked to end has handed its sessions over to the host.
  const isSuccessor = replacesWorker && input.lease.workerQueue !== input.lease.hostQueue;
  const written = isSuccessor ? outboxWritten.then(() => publishSuccession(store, input, call, lease)) : outboxWritten;
  written.catch(() => {});
  try {
    const output = await runBatch(deps, { ...input, lease }, call, attachment, written);
    // What the batch saw of the page after that is of no page.
    if (attachment.hasCrashed) throw browserGoneError(new Error('The page has crashed.'));
    return { ...output, lease: attachments.leaseOf(attachment) };
  } catch (error) {
    const fenced = await toFencingError(store, sessionId, lease.epoch, error);
    throw (
      fenced ??
      (await unlessBrowserAlive(attachments, sessionId, await asConnectionLoss(error, attachment), attachment))
    );
  } finally {
    attachments.leave(attachment);
  }
}

/** The death of a worker costs nothing, and is a mark on the timeline all the same: once, by the epoch of its successor. */
async function publishSuccession(
  { log }: Pick<BrowserDeps['store'], 'log'>,
  { sessionId, stepIndex, turn }: RunCommandsInput,
  { runId }: ActivityCall,
  { epoch }: Lease,
): Promise<void> {
  const record = workerReplacedRecord({ sessionId, stepIndex, turn }, epoch);
  await log.append(sessionId, [record], { guard: { runId, epoch } });
}

/** A lost connection is no lost browser, as when only its keeper died. The keeper that is there now knows. */
async function unlessBrowserAlive(
  attachments: Attachments,
  sessionId: string,
  error: unknown,
  attachment: Attachment,
): Promise<unknown> {
  const isBrowserGone = (one: unknown): boolean => one instanceof EngineError && one.more.type === BROWSER_GONE;
  if (!isBrowserGone(error) || attachment.isConnected) return error;
  try {
    await (await attachments.keeper()).quietForMs(sessionId);
  } catch (cause) {
    // The keeper may know why.
    if (isBrowserGone(cause)) return cause;
  }
  return relayClosedError(error);
}

/** The batch arrived just when the worker was asked to end: another worker of the host runs it. */
function handOver({ commands, lease }: RunCommandsInput): RunCommandsOutput {
  return {
    outcomes: commands.map(({ commandId }) => ({ commandId, status: 'skipped' })),
    isInterrupted: true,
    lease: { ...lease, workerQueue: lease.hostQueue },
    page: { screenshotId: '', url: '' },
  };
}
