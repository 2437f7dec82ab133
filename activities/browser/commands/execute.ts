import { COMMANDS } from '../../../contracts/commands/commands';
import { fieldCommands } from '../../../contracts/commands/definitions/fields';
import { describeRequest } from '../../../contracts/browsers/approval-view';
import type { ObservedDownload } from '../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { StandardError } from '../../../contracts/errors/standard-error';
import { faultPoint } from '../../../runtime/fault-point';
import {
  browserGoneError,
  isDocumentGone,
  isNetworkError,
  isTargetClosed,
  isTimeout,
  toCommandError,
} from '../attach/playwright-errors';
import type { KeeperClient } from '../attach/keeper-client';
import { errorPageShown, openLostPage, type LostPage } from '../attach/lost-page';
import { EngineError, isOutage, toStandardError } from '../../activity/failures';
import { noteRefusedRequest } from '../approval-view/capture-view';
import { captureDom, type CapturedPage } from '../pages/capture';
import { guardOf, type BatchContext } from './batch-context';
import { CommitUnansweredError } from './commit-unanswered';
import { assertFieldsKept, assertSentWithFields } from './fields-kept';
import { readDelivery } from '../targets/delivery-marker';
import type { DifferenceDetails } from '../../recorded/differences';
import { handleCommand } from './handlers';
import type { CommandResult } from './handlers/command-handler';
import { blockedAddress, navigationRefusal, refusedByProxy } from './network-guard';
import { storeDownloads } from './store-downloads';
import { watchNewTabs } from './new-tabs';
import type { PreparedCommand } from './prepare';
import { withTimersNoted } from './typing/saving-timers';
import { isRepeatable } from './write-intent';

/** What acting came to. */
export interface Execution {
  result: CommandResult | void;
  /** Redacted; absent when the command did what it should. */
  error: StandardError | undefined;
  /** Where it led and the session may not go. */
  blockedNavigation?: string | undefined;
  /** Files that it brought, besides what it was to download. */
  downloads?: ObservedDownload[] | undefined;
  /** The page right after the action, where nothing had to be waited for. */
  captured: Promise<CapturedPage> | undefined;
  /** Settles when the journal knows that a commit was executed. */
  noted: Promise<unknown>;
}

/**
 * Executes a prepared command on the page. Resolves to `interrupted` when a pause stopped a repeatable command, or the wait
 * for the page after a commit: its intent stays open. Throws CommitUnansweredError, and when the browser is gone or the
 * database or the keeper can't be reached.
 */
export async function execute(
  context: BatchContext,
  keeper: () => Promise<KeeperClient>,
  command: PlannedCommand,
  prepared: PromiseSettledResult<PreparedCommand>,
  signal: AbortSignal,
): Promise<Execution | 'interrupted'> {
  let acted = NOTHING;
  try {
    if (prepared.status === 'rejected') throw prepared.reason;
    acted = await actAndArrive(context, keeper, command, prepared.value, signal);
    if (prepared.value.deed !== undefined) await assertSentAsApproved(context, command);
    const { attachment } = context;
    // The browser went while a request of the command had no answer: what came of it is found out, not assumed.
    if (attachment.watch.hasUnansweredRequest && (await attachment.isLost()))
      throw browserGoneError(new Error('The page went before an answer came.'));
    const blocked = blockedAddress(context.network, context.attachment.watch.requestedNavigations());
    // To open a page that is blocked is a failure. Any other command has done what it should before it led there.
    if (blocked !== undefined && command.action === 'OPEN_PAGE') throw navigationRefusal(context.network, blocked);
    return { ...acted, error: undefined, blockedNavigation: blocked };
  } catch (thrown) {
    const error = await toError(context, command, prepared.status === 'fulfilled', thrown);
    return error === 'interrupted' ? error : { ...acted, error };
  }
}

const NOTHING: Omit<Execution, 'error'> = { result: undefined, captured: undefined, noted: Promise.resolve() };

/** Acts, and opens the page that this led to again when the egress process has died under way. */
async function actAndArrive(
  context: BatchContext,
  keeper: () => Promise<KeeperClient>,
  command: PlannedCommand,
  prepared: PreparedCommand,
  signal: AbortSignal,
): Promise<Omit<Execution, 'error'>> {
  let broken: Error | undefined;
  const acted = await act(context, keeper, command, prepared, signal).catch(async (error: unknown) => {
    if (!isNetworkError(error)) throw error;
    broken = error;
    await errorPageShown(context.attachment.page);
    return NOTHING;
  });
  if (COMMANDS[command.action].onlyLooks) return acted;
  const arrival = await openPageOf(context, keeper, command).catch((error: unknown) => {
    if (isRepeatable(command) || broken !== undefined || isOutage(error)) throw error;
    if (isAbort(error, context.signal)) throw error;
    // A commit has acted, whatever keeps its page from being opened again.
    throw new CommitUnansweredError(`${command.action} was done, and then its page was lost.`, { cause: error });
  });
  if (arrival.kind === 'opened') {
    const refused = arrival.response === null ? undefined : refusedByProxy(arrival.response);
    if (refused !== undefined && command.action === 'OPEN_PAGE') throw refused;
    return { ...acted, captured: undefined };
  }
  if (arrival.kind === 'unanswered') {
    const message = `${arrival.request} has no answer: the connection of the browser broke, and is there again. It may have been received all the same.`;
    throw isRepeatable(command) ? new EngineError('TL002', message) : new CommitUnansweredError(message);
  }
  if (broken !== undefined) throw arrival.kind === 'failed' ? arrival.error : broken;
  return acted;
}

/** Opens the page that a command led to again, where the egress process has died under way. */
export async function openPageOf(
  { attachment, sessionId, commandTimeoutMs, signal }: BatchContext,
  keeper: () => Promise<KeeperClient>,
  command: PlannedCommand,
): Promise<LostPage> {
  return await openLostPage({
    page: attachment.page,
    sessionId,
    browserId: attachment.browserId,
    keeper,
    // An address that is opened may act, and the model can open it again. Nothing but this leads on from a click.
    sendAgain: isRepeatable(command) ? 'unsent' : 'reads',
    timeoutMs: commandTimeoutMs,
    signal,
  });
}

async function act(
  context: BatchContext,
  keeper: () => Promise<KeeperClient>,
  command: PlannedCommand,
  prepared: PreparedCommand,
  signal: AbortSignal,
): Promise<Omit<Execution, 'error'>> {
  const { store, attachment, values, sessionId, backgroundTasks } = context;
  const { commandId, action } = command;
  // What the page is still to send would be cut off, and what it is still to show would not be read.
  if (COMMANDS[action].needsPageAtRest) await attachment.watch.rest(attachment.page, signal, { isLeft: true });
  if (!isRepeatable(command)) await assertFieldsKept(context, keeper, command);
  const { page, watch } = attachment;
  const loads = watch.loadsOf(page);
  const newTabs = await watchNewTabs(attachment, command);
  const handle = () =>
    handleCommand(action, {
      batch: context,
      commandId,
      attachment,
      page: attachment.page,
      ...prepared,
      timeoutMs: context.commandTimeoutMs,
      signal,
    });
  const { element, field: facts } = prepared;
  const at = new Date();
  const isField = action in fieldCommands && element !== undefined;
  const isInMainFrame = facts?.isInMainFrame === true;
  const acting = isField ? withTimersNoted({ page, element, isInMainFrame, watch }, handle) : handle();
  // The page is busy now and this worker is not.
  backgroundTasks.startDeferred();
  const result = await acting;
  faultPoint('after-act', sessionId);
  if (isRepeatable(command)) {
    if (isField) {
      const name = command.target?.name ?? prepared.parameters.selector ?? action;
      const field = { commandId, name, page, element, loads, at };
      const typed = { text: prepared.parameters.text, held: result?.held };
      await attachment.filled.note(field, typed, () => watch.loadsOf(page));
    }
    return { result, captured: undefined, noted: Promise.resolve() };
  }
  await assertSentWithFields(context, keeper, command);
  // A worker that takes over while the page settles need not ask whether it happened. If the store fails, recording the
  // outcome fails as well and reports it.
  // An approved one is done when it is known what has left.
  const noted =
    prepared.deed === undefined
      ? store.journal.markExecuted(sessionId, guardOf(context), commandId).catch(() => {})
      : Promise.resolve();
  backgroundTasks.track(noted);
  const captured = captureDom(attachment, values);
  const hadToSettle = await attachment.watch.settle(attachment.page, context.signal, captured);
  const isElsewhere = await newTabs.follow();
  if (isElsewhere) await attachment.watch.settle(attachment.page, context.signal);
  await attachment.watch.rest(attachment.page, context.signal);
  const downloads = await storeDownloads(context, command);
  return { result, captured: hadToSettle || isElsewhere ? undefined : captured, noted, downloads };
}

/**
 * Ends the deed. A request that was not what was approved has not left: the command fails, and the next question about it is
 * about that request.
 */
async function assertSentAsApproved(context: BatchContext, command: PlannedCommand): Promise<void> {
  const report = await context.deeds.end();
  if (report?.commandId !== command.commandId)
    throw new CommitUnansweredError(
      `Another keeper guards the browser, so what ${command.action} has sent is unknown.`,
    );
  const { refused, sent, overSocket } = report;
  if (overSocket !== undefined) {
    const { request, reasons } = overSocket;
    const sentAnyway = `${command.action} sent over a WebSocket what nobody has approved, and nobody could hold it back: to ${request.url}. ${reasons.join(' ')}`;
    throw isRepeatable(command)
      ? new EngineError('EX002', sentAnyway, { details: { guard: 'approved-request', request } })
      : new CommitUnansweredError(sentAnyway);
  }
  if (refused === undefined) return;
  await noteRefusedRequest(context, command, refused.request);
  const what = `${describeRequest(refused.request)} ${refused.reasons.join(' ')}`;
  if (sent > 0 && !isRepeatable(command))
    throw new CommitUnansweredError(
      `${command.action} sent what was approved, and then more, which was held back: ${what}`,
    );
  const details = {
    guard: 'approved-request',
    request: refused.request,
    differences: refused.reasons,
  } satisfies DifferenceDetails;
  if (command.isAskedAgain === true)
    throw new EngineError(
      'EX002',
      `The page would have sent something else each time that a person had approved it, so nothing was sent, and nobody is asked again: ${what}`,
      { details, suggestedAction: 'Read the page and find out why; a new call is a new question.' },
    );
  throw new EngineError('EX002', `This is not what was approved, so it was not sent: ${what}`, {
    details,
    suggestedAction: 'Where it is still wanted, call it again: a person is asked about this request.',
  });
}

async function toError(
  { attachment, values, network, signal, sessionId, stepIndex }: BatchContext,
  command: PlannedCommand,
  isPrepared: boolean,
  thrown: unknown,
): Promise<StandardError | 'interrupted'> {
  const { commandId, action } = command;
  if (!attachment.isConnected) throw browserGoneError(thrown);
  if (thrown instanceof CommitUnansweredError) throw thrown;
  // The intent stays open: what followed the act is found out when the database or the keeper is there again.
  if (isOutage(thrown) && (isPrepared || isRepeatable(command))) throw thrown;
  const isGone = isTargetClosed(thrown) || isDocumentGone(thrown);
  if (isGone && (await attachment.isLost())) throw browserGoneError(thrown);
  const blocked = blockedAddress(network, attachment.watch.requestedNavigations());
  // Playwright reports what followed the act as its failure.
  const isUnanswered = isTimeout(thrown) || isGone;
  const mayHaveActed = isUnanswered || blocked !== undefined;
  if (!isRepeatable(command) && isPrepared && mayHaveActed && !(thrown instanceof EngineError)) {
    const delivery = await readDelivery(attachment.context.pages(), command);
    if (delivery !== 'undelivered')
      throw new CommitUnansweredError(`${action} was sent and has no answer yet.`, { cause: thrown });
  }
  // A commit is not stopped, but what is waited for after it may be.
  if (signal.aborted && (isRepeatable(command) || isAbort(thrown, signal))) return 'interrupted';
  const where = { sessionId, stepIndex, commandId, moduleId: 'executor' };
  const cause = blocked === undefined ? toCommandError(thrown, action) : navigationRefusal(network, blocked);
  const error = toStandardError(cause, 'TL004', where);
  return values.redactAll(error);
}

/** Whether what was waited for was given up: with an error of its own, or with the reason of the signal. */
function isAbort(error: unknown, signal: AbortSignal): boolean {
  return (signal.aborted && error === signal.reason) || (error instanceof Error && error.name === 'AbortError');
}
