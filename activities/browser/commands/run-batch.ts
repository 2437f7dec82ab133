import { setImmediate } from 'node:timers/promises';
import { COMMANDS } from '../../../contracts/commands/commands';
import { fieldCommands } from '../../../contracts/commands/definitions/fields';
import { pageCommands } from '../../../contracts/commands/definitions/pages';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { faultPoint } from '../../../runtime/fault-point';
import type { JournalEntry } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { RunCommandsInput, RunCommandsOutput } from '../../signatures/browser-activities';
import type { Attachment } from '../attach/attachment';
import type { Attachments } from '../attach/attachments';
import type { BrowserDeps } from '../attach/browser-deps';
import type { KeeperClient } from '../attach/keeper-client';
import { openLostPage } from '../attach/lost-page';
import { toCommandError } from '../attach/playwright-errors';
import { waitUntilStill } from '../attach/still-page';
import { takeCheckpoint } from '../checkpoints/take-checkpoint';
import { startRecorder } from '../pages/recorder';
import { snapshotOptionsFor } from '../pages/snapshots/snapshot-options';
import { redactError } from '../../secrets/redact-error';
import { loadSessionValues, type SessionValues } from '../../secrets/session-values';
import { createApprovedDeeds } from './approved-deeds';
import { createBackgroundTasks } from './background-tasks';
import { guardOf, type BatchContext, type NextIntent } from './batch-context';
import { AnswerNeededError } from './asked-answers';
import { closeOpenCommits } from './close-open-commits';
import { createIdempotencyKeys } from './idempotency-keys';
import { createOnceKeys, KeyHeld } from './once-keys';
import { recallForgotten } from './outcomes/recall-forgotten';
import { ENVIRONMENT_ACTIONS, restoreEnvironment } from './environment';
import { allowNetwork, publishBlockedOrigins } from './network-guard';
import { checkpointRecord, lostPageRecord } from '../../recorded/command-records';
import { outcomeWarnings } from '../../recorded/outcome-warnings';
import { stepProblems } from '../../recorded/step-problems';
import type { CommandReport } from './outcomes/record-outcome';
import { resumeCommand } from './resume-command';
import { takeSnapshotWithView } from './snapshot-with-view';

/**
 * Runs the commands on an attached browser once the outbox is written, then takes the checkpoint and the snapshot that the
 * model decides on.
 */
export async function runBatch(
  { store, attachments, env, uploads }: BrowserDeps,
  { sessionId, stepIndex, turn, lease, commands, executor, view, judgesPage, once }: RunCommandsInput,
  { runId, signal }: ActivityCall,
  attachment: Attachment,
  outboxWritten: Promise<void>,
): Promise<RunCommandsOutput> {
  const { keeper } = attachments;
  const loading = loadSessionValues(store, sessionId, env);
  const commandIds = commands.map(({ commandId }) => commandId);
  const readJournal = async (): Promise<JournalEntry[]> => {
    const place = { store, attachment, keeper, loading, sessionId, runId, epoch: lease.epoch };
    const readBatch = () => store.journal.ofBatch(sessionId, stepIndex, commandIds);
    const [isRecalled, journal] = await Promise.all([recallForgotten(place, commandIds), readBatch()]);
    return isRecalled ? await readBatch() : journal;
  };
  const [values, journal, hasPersonActed, network] = await Promise.all([
    loading,
    readJournal(),
    store.takeovers.hasActedSince(sessionId, { stepIndex, turn }),
    allowNetwork(sessionId, attachment, executor.network, keeper),
    attachment.openTab().then(() => restoreEnvironmentOnce(store, sessionId, attachment, loading)),
    attachment.trace.begin(stepIndex),
    keepStepCheckpoint(store, sessionId, attachment, stepIndex),
    outboxWritten,
  ]);
  const snapshotOptions = snapshotOptionsFor(store, sessionId);
  // Awaited at the end only.
  snapshotOptions.catch(() => {});
  // An earlier worker may have typed a secret that the page still holds, and may send while it is traced.
  if (values.hasSecrets && !attachment.isFirst) attachment.trace.taint();
  const { idempotency } = executor;
  const backgroundTasks = createBackgroundTasks();
  const context: BatchContext = {
    store,
    attachment,
    values,
    sessionId,
    stepIndex,
    turn,
    epoch: lease.epoch,
    runId,
    commandTimeoutMs: executor.timeoutMs,
    screenshotsEnabled: executor.screenshotsEnabled,
    uploads,
    network,
    idempotencyKeys:
      idempotency && createIdempotencyKeys({ store, attachment, keeper, sessionId, stepIndex, idempotency }),
    deeds: createApprovedDeeds({ attachment, keeper, sessionId }),
    once: once && createOnceKeys(once, { values, stepIndex }),
    recorder: executor.recording && startRecorder(attachments, { store, attachment, sessionId, runId, values }),
    signal,
    backgroundTasks,
  };
  try {
    await openPageLostBefore(context, keeper);
    const isJudgementDue = await closeOpenCommits(context, keeper, commands, journal);
    const { outcomes, isInterrupted, last, heldKey, asks } = await runInOrder(
      context,
      attachments,
      isJudgementDue ? [] : commands,
      journal,
      hasPersonActed,
    );
    // The page is asked while this worker writes what became of the last command.
    backgroundTasks.startDeferred();
    if (outcomes.at(-1)?.status === 'failed') await attachment.trace.addSnapshots(stepIndex);
    if (!isInterrupted) await settlePage(context, commands.slice(0, outcomes.length), last.captured);
    if (mayHaveBeenBlocked(attachment, commands))
      backgroundTasks.track(last.written.then(keeper).then((client) => publishBlockedOrigins(context, client)));
    const taking = isInterrupted ? undefined : takeSnapshotWithView(context, await snapshotOptions, view);
    taking?.catch(() => {});
    // The page does in order what it is asked, and a model waits for the snapshot.
    await setImmediate();
    if (mayHaveChangedState(attachment, commands)) backgroundTasks.track(checkpointOrWarn(context));
    const snapshot = await taking;
    // The batch reports nothing before its last outcome is in the journal.
    await last.written;
    const judging = judgesPage === true ? judge(context, snapshot ?? null) : Promise.resolve(undefined);
    backgroundTasks.track(judging);
    if (snapshot !== undefined) backgroundTasks.track(store.memory.saveSnapshot(sessionId, guardOf(context), snapshot));
    await backgroundTasks.settle();
    const problem = await judging;
    const { page = { screenshotId: '' } } = outcomes.findLast((outcome) => outcome.page !== undefined) ?? {};
    return {
      outcomes: commands.map(({ commandId }) => {
        const { page: _, ...summary } = outcomes.find((outcome) => outcome.commandId === commandId) ?? SKIPPED;
        return { ...summary, commandId };
      }),
      isInterrupted,
      lease,
      page: { ...page, url: values.redact(attachment.page.url()) },
      ...(problem === undefined ? {} : { problem }),
      ...(heldKey === undefined ? {} : { heldKey: values.redact(heldKey) }),
      ...(asks === undefined ? {} : { asks }),
    };
  } catch (error) {
    throw redactError(error, values);
  } finally {
    // Also after an error: the next attempt must not meet writes of this one.
    await backgroundTasks.settle().catch(() => {});
    context.recorder?.stop();
  }
}

/** What the page says against the commands of this batch; what is no more than a warning is logged. */
async function judge(context: BatchContext, snapshot: PageSnapshot | null): Promise<string | undefined> {
  const { store, sessionId, stepIndex, turn } = context;
  const { fail, warn } = await stepProblems(store, { sessionId, stepIndex, turn }, snapshot);
  if (warn.length > 0)
    await store.log.append(sessionId, outcomeWarnings({ sessionId, stepIndex, turn }, warn), {
      guard: guardOf(context),
    });
  return fail.length === 0 ? undefined : fail.map(({ message }) => message).join(' ');
}

/** Waits until the page that the commands led to is there, and what they set in motion is over. */
async function settlePage(
  { attachment, signal }: BatchContext,
  commands: readonly PlannedCommand[],
  answered: Promise<unknown> | undefined,
): Promise<void> {
  await attachment.openTab();
  const { page } = attachment;
  const acting = commands.findLast(({ action }) => !COMMANDS[action].onlyLooks);
  const [hadToSettle] = await Promise.all([
    attachment.watch.settle(page, signal, answered),
    acting && waitUntilStill(attachment, !(acting.action in pageCommands)),
  ]);
  await attachment.watch.rest(attachment.page, signal);
  if (hadToSettle && acting) await waitUntilStill(attachment, false);
}

/** The state before the first command of a step, from which another session can go on. */
async function keepStepCheckpoint(
  store: Store,
  sessionId: string,
  { checkpoint }: Attachment,
  stepIndex: number,
): Promise<void> {
  if (stepIndex === 0 || checkpoint.keptBefore === stepIndex) return;
  await store.stepCheckpoints.keep(sessionId, stepIndex);
  checkpoint.keptBefore = stepIndex;
}

/** A new connection, or a new Chrome, knows nothing of what the session has set. */
async function restoreEnvironmentOnce(
  store: Store,
  sessionId: string,
  attachment: Attachment,
  values: Promise<SessionValues>,
): Promise<void> {
  if (attachment.hasEnvironment) return;
  await restoreEnvironment(attachment, await store.journal.done(sessionId, ENVIRONMENT_ACTIONS), await values);
  attachment.hasEnvironment = true;
}

/**
 * A page may lead on while a model thinks, and find the egress process gone: nothing but this opens it again. Where that can't
 * be done, the log says why Chrome shows an error.
 */
async function openPageLostBefore(context: BatchContext, keeper: () => Promise<KeeperClient>): Promise<void> {
  const { store, attachment, values, sessionId, stepIndex, turn, epoch, commandTimeoutMs, signal } = context;
  const { page, browserId } = attachment;
  const sendAgain = 'unsent';
  const lost = await openLostPage({
    page,
    sessionId,
    browserId,
    keeper,
    sendAgain,
    timeoutMs: commandTimeoutMs,
    signal,
  });
  if (lost.kind === 'none' || lost.kind === 'opened') return;
  const id = `${sessionId}/lost-page/${stepIndex}/${turn}/${epoch}`;
  const reason =
    lost.kind === 'unanswered'
      ? `${lost.request} has no answer and may have been received, so it was not sent again.`
      : `it could not be opened again (${toCommandError(lost.error, 'OPEN_PAGE').message}).`;
  const record = lostPageRecord(context, id, values.redact(reason));
  await store.log.append(sessionId, [record], { guard: guardOf(context) });
}

async function checkpointOrWarn(context: BatchContext): Promise<void> {
  const { store, sessionId, stepIndex, turn, epoch } = context;
  const unread = await takeCheckpoint(context);
  if (unread.length === 0) return;
  const id = `${sessionId}/checkpoint/${stepIndex}/${turn}/${epoch}`;
  await store.log.append(sessionId, [checkpointRecord(context, id, unread)], { guard: guardOf(context) });
}

/** It was decided for a page that a person has changed since. */
const OUTDATED: Omit<CommandReport, 'commandId'> = {
  status: 'failed',
  isUnrun: true,
  code: 'TL004',
  message:
    'It was not done: a person has taken the browser over since this was decided. Decide anew by the page as it is now.',
};

const SKIPPED: Omit<CommandReport, 'commandId'> = { status: 'skipped' };

/** A command that only reads changes nothing worth a checkpoint, unless the page navigated by itself. */
function mayHaveChangedState({ checkpoint, page }: Attachment, commands: readonly PlannedCommand[]): boolean {
  if (commands.some(({ action }) => !COMMANDS[action].onlyLooks)) return true;
  return checkpoint.last?.tabs.find(({ isFront }) => isFront)?.url !== page.url();
}

/** Setting a control seldom asks the network for anything; the keeper is asked where Playwright has seen that it did. */
function mayHaveBeenBlocked({ watch }: Attachment, commands: readonly PlannedCommand[]): boolean {
  return watch.takeHasAsked() || !commands.every(({ action }) => action in fieldCommands);
}

/** Runs each command with what the one before handed on, to the first that is not done, or that the model must judge. */
async function runInOrder(
  context: BatchContext,
  { isEnding, keeper }: Pick<Attachments, 'isEnding' | 'keeper'>,
  commands: readonly PlannedCommand[],
  journal: readonly JournalEntry[],
  hasPersonActed: boolean,
): Promise<
  { outcomes: CommandReport[]; isInterrupted: boolean; last: NextIntent } & Pick<RunCommandsOutput, 'heldKey' | 'asks'>
> {
  const entryOf = (command?: PlannedCommand) => journal.find(({ commandId }) => commandId === command?.commandId);
  const outcomes: CommandReport[] = [];
  let previous: NextIntent = { written: Promise.resolve(undefined) };
  const interrupted = () => ({ outcomes, isInterrupted: true, last: previous });
  for (const [position, command] of commands.entries()) {
    // A worker that ends lets the current command finish; a pause stops it.
    if (context.signal.aborted || isEnding()) return interrupted();
    if (hasPersonActed && entryOf(command) === undefined) {
      outcomes.push({ ...OUTDATED, commandId: command.commandId });
      break;
    }
    const following = hasPersonActed ? undefined : commands[position + 1];
    const next = entryOf(following) === undefined ? following : undefined;
    const run = await resumeCommand(context, keeper, { command, position, next }, entryOf(command), previous).catch(
      (error: unknown) => {
        if (error instanceof KeyHeld || error instanceof AnswerNeededError) return error;
        throw error;
      },
    );
    if (run === 'interrupted') return interrupted();
    if (run instanceof KeyHeld) return { ...interrupted(), heldKey: run.message };
    if (run instanceof AnswerNeededError) return { ...interrupted(), asks: run.asks };
    outcomes.push(run.outcome);
    previous = run.nextIntent;
    if (run.outcome.status !== 'done' || run.outcome.isNavigationBlocked === true) break;
    faultPoint('between-commands', context.sessionId);
  }
  return { outcomes, isInterrupted: false, last: previous };
}
