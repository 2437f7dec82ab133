import type { PageState } from '../../contracts/sessions/outbox';
import { EFFECT_CLASS } from '../../contracts/commands/commands';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { faultPoint } from '../../runtime/fault-point';
import type { JournalEntry } from '../../store/journal/journal';
import { StoreRefusal } from '../../store/database/refusals';
import type { Store } from '../../store/store';
import type { ActivityCall } from '../activity';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { CommandSummary, RunCommandsInput, RunCommandsOutput } from '../browser-activities';
import { writeOutbox } from '../sessions/write-outbox';
import { EngineError } from '../failures';
import { toFencingError } from '../browsers/fencing';
import { snapshotOptionsFor } from '../pages/snapshots/snapshot-options';
import type { Attachment } from '../browsers/attachment';
import type { Attachments } from '../browsers/attachments';
import { takeCheckpoint } from '../browsers/checkpoints/take-checkpoint';
import { createIdempotencyKeys } from './idempotency-keys';
import { COMMAND_HANDLERS } from './handlers';
import { createBackgroundTasks } from './background-tasks';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { publishBlockedOrigins } from './network-guard';
import { relayClosedError, asConnectionLoss } from '../browsers/playwright-errors';
import { CommitUnansweredError, runCommand } from './run-command';
import { tellActed, type OneResult } from './outcomes/record-outcome';
import type { BatchContext } from './batch-context';
import { loadSessionValues, redactError } from '../secrets/session-values';
import { resolveIntent } from './outcomes/unknown-outcome';

export interface RunCommandsDeps {
  store: Store;
  attachments: Attachments;
  /** Where `{"env": "NAME"}` variables get their values. */
  env: NodeJS.ProcessEnv;
  /** Folder that files may be uploaded from. */
  uploads?: string | undefined;
}

/**
 * The commands of one reply, in order, to the first that fails; then a look at the page. Running it again is safe at
 * any moment: what the journal knows as done is not done again, what may be repeated is, and a commit that was under
 * way is looked into first (design: Browser, Commands).
 */
export async function runCommands(
  deps: RunCommandsDeps,
  input: RunCommandsInput,
  call: ActivityCall,
): Promise<RunCommandsOutput> {
  const { store, attachments } = deps;
  const { sessionId, executor } = input;
  await writeOutbox(store, sessionId, call.runId, input.outbox);
  if (attachments.isEnding()) return handOver(input);
  const { attachment, lease } = await attachments.use(sessionId, call, {
    timeoutMs: executor.timeoutMs,
    signal: call.signal,
    leavesWhenAborted: true,
  });
  try {
    const output = await runBatch(deps, { ...input, lease }, call, attachment);
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

/** A connection that is lost is no browser that is lost: its keeper may have died alone. The one that is there knows. */
async function unlessBrowserAlive(
  attachments: Attachments,
  sessionId: string,
  error: unknown,
  attachment: Attachment,
): Promise<unknown> {
  const isSaidGone = (one: unknown): boolean => one instanceof EngineError && one.more.type === BROWSER_GONE;
  if (!isSaidGone(error) || attachment.isConnected) return error;
  try {
    await (await attachments.keeper()).quietForMs(sessionId);
  } catch (cause) {
    if (isSaidGone(cause)) return error;
  }
  return relayClosedError(error);
}

/** It came just when the worker was asked to end: nothing is begun here. */
function handOver({ commands, lease }: RunCommandsInput): RunCommandsOutput {
  return {
    outcomes: commands.map(({ commandId }) => ({ commandId, status: 'skipped' })),
    isInterrupted: true,
    lease: { ...lease, workerQueue: lease.hostQueue },
    page: { screenshotId: '', url: '' },
  };
}

async function runBatch(
  { store, attachments, env, uploads }: RunCommandsDeps,
  { sessionId, stepIndex, turn, lease, commands, executor }: RunCommandsInput,
  call: ActivityCall,
  attachment: Attachment,
): Promise<RunCommandsOutput> {
  const commandIds = commands.map((command) => command.commandId);
  const [values, journal] = await Promise.all([
    loadSessionValues(store, sessionId, env),
    store.journal.find(sessionId, commandIds),
    attachment.openTab(),
    attachment.trace.begin(stepIndex),
  ]);
  const interest = snapshotOptionsFor(store, sessionId);
  // What comes of it is awaited at the end only.
  interest.catch(() => {});
  // An earlier worker may have typed a secret that the page holds still, and may send while we trace.
  if (values.hasSecrets && !attachment.isFirst) attachment.trace.taint();
  const { idempotency, network } = executor;
  const scene: BatchContext = {
    store,
    attachment,
    values,
    sessionId,
    stepIndex,
    turn,
    epoch: lease.epoch,
    runId: call.runId,
    requestTimeoutMs: executor.timeoutMs,
    screenshotsEnabled: executor.screenshotsEnabled,
    uploads,
    network,
    idempotencyKeys:
      idempotency &&
      createIdempotencyKeys({ store, attachment, keeper: attachments.keeper, sessionId, stepIndex, idempotency }),
    signal: call.signal,
    outcome: Promise.resolve(undefined),
    captured: Promise.resolve(),
    backgroundTasks: createBackgroundTasks(),
  };

  try {
    const { outcomes, page, isInterrupted } = await runInOrder(scene, attachments, commands, journal);
    if (outcomes.at(-1)?.status === 'failed') await attachment.trace.addSnapshots(stepIndex);
    if (!isInterrupted) {
      await attachment.openTab();
      await attachment.watch.settle(attachment.page, call.signal);
    }
    if (network !== undefined)
      scene.backgroundTasks.track(attachments.keeper().then((keeper) => publishBlockedOrigins(scene, keeper)));
    if (mayHaveChangedState(attachment, commands)) scene.backgroundTasks.track(takeCheckpoint(scene));
    if (!isInterrupted) {
      await store.memory.saveSnapshot(sessionId, await takeSnapshot(attachment, values, await interest));
    }
    await scene.backgroundTasks.settle();
    const skipped = commands.slice(outcomes.length).map(({ commandId }) => ({ commandId, status: 'skipped' as const }));
    return {
      outcomes: [
        ...outcomes.map(({ commandId, status, code, message }) => ({ commandId, status, code, message })),
        ...skipped,
      ],
      isInterrupted,
      lease,
      page: { ...page, url: values.redact(attachment.page.url()) },
    };
  } catch (error) {
    throw redactError(error, values);
  } finally {
    // Also when something failed: the next attempt must not find writes of this one still under way.
    await scene.backgroundTasks.settle().catch(() => {});
  }
}

/** Looking changes nothing to be kept, unless the page went elsewhere by itself. */
function mayHaveChangedState({ checkpoint, page }: Attachment, commands: readonly PlannedCommand[]): boolean {
  if (commands.some(({ action }) => EFFECT_CLASS[action] !== 'pure' || action === 'SCROLL')) return true;
  return checkpoint.last?.tabs.find(({ isFront }) => isFront)?.url !== page.url();
}

type Told = CommandSummary & { page?: Pick<PageState, 'screenshotId' | 'domId'> };

async function runInOrder(
  scene: BatchContext,
  attachments: Attachments,
  commands: readonly PlannedCommand[],
  journal: readonly JournalEntry[],
): Promise<{ outcomes: Told[]; page: Pick<PageState, 'screenshotId' | 'domId'>; isInterrupted: boolean }> {
  const outcomes: Told[] = [];
  let page: Pick<PageState, 'screenshotId' | 'domId'> = { screenshotId: '' };
  for (const [position, command] of commands.entries()) {
    // A worker that ends lets the current command finish; a pause stops it.
    if (scene.signal.aborted || attachments.isEnding()) return { outcomes, page, isInterrupted: true };
    const entry = journal.find(({ commandId }) => commandId === command.commandId);
    const next = commands[position + 1];
    const isNew = !journal.some(({ commandId }) => commandId === next?.commandId);
    const outcome = await outcomeOf(scene, attachments, command, position, entry, isNew ? next : undefined);
    if (outcome === 'interrupted') return { outcomes, page, isInterrupted: true };
    outcomes.push(outcome);
    page = outcome.page ?? page;
    if (outcome.status !== 'done') break;
    faultPoint('between-commands', scene.sessionId);
  }
  // The last outcome is on the disk before anything is told of it.
  await scene.outcome;
  return { outcomes, page, isInterrupted: false };
}

async function outcomeOf(
  scene: BatchContext,
  attachments: Attachments,
  command: PlannedCommand,
  position: number,
  entry: JournalEntry | undefined,
  next: PlannedCommand | undefined,
): Promise<Told | 'interrupted'> {
  if (entry !== undefined && entry.status !== 'intended') {
    await reapply(scene, command, entry);
    return recorded(entry);
  }
  if (entry !== undefined && EFFECT_CLASS[command.action] === 'commit') {
    const keeper = await attachments.keeper();
    if (entry.evidence?.['acted'] === true) {
      await scene.idempotencyKeys?.end();
      return toldOf(await tellActed(scene, keeper, command, entry));
    }
    const unknown = await resolveIntent(scene, keeper, command, entry);
    if (unknown !== 'did-not-happen') {
      await scene.idempotencyKeys?.end();
      return { commandId: command.commandId, status: 'unknown', ...unknown };
    }
  } else {
    await scene.idempotencyKeys?.clear();
  }
  try {
    const result = await runCommand(scene, command, position, next);
    return result.status === 'skipped' ? 'interrupted' : toldOf(result);
  } catch (refusal) {
    // The pause was written while we were between two commands.
    if (refusal instanceof StoreRefusal && refusal.reason === 'paused') return 'interrupted';
    if (!(refusal instanceof CommitUnansweredError)) throw refusal;
    // As if its worker had died: told as failed, it would be sent once more.
    const [open] = await scene.store.journal.find(scene.sessionId, [command.commandId]);
    return await outcomeOf(scene, attachments, command, position, open, next);
  }
}

function toldOf({ screenshotId, domId, ...summary }: OneResult): Told {
  return { ...summary, page: { screenshotId, domId } };
}

function recorded(entry: JournalEntry): Told {
  const { commandId, status, error, domId, response } = entry;
  return {
    commandId,
    status: status === 'intended' ? 'unknown' : status,
    code: error?.code,
    message: error?.message,
    ...(response === undefined ? {} : { page: { screenshotId: response.screenshotId, domId } }),
  };
}

/**
 * An armed answer lives in the worker: a new worker has to arm it again, for the question that has not been asked yet.
 * A later command whose evidence has the question used it up.
 */
async function reapply(
  batch: BatchContext,
  { commandId, action, parameters }: PlannedCommand,
  { status, evidence }: JournalEntry,
): Promise<void> {
  const { attachment, values, requestTimeoutMs, signal } = batch;
  const dialogs = (evidence?.['dialogs'] ?? []) as { type: string }[];
  if (dialogs.some(({ type }) => type === 'confirm' || type === 'prompt')) attachment.watch.nextDialog = undefined;
  if (action !== 'HANDLE_DIALOG' || status !== 'done') return;
  await COMMAND_HANDLERS[action]({
    batch,
    commandId,
    attachment,
    page: attachment.page,
    element: undefined,
    parameters: values.fill(parameters).parameters,
    secrets: [],
    timeoutMs: requestTimeoutMs,
    signal,
  });
}
