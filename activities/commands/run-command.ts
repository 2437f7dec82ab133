import { EFFECT_CLASS } from '../../contracts/commands/commands';
import type { StandardError } from '../../contracts/errors/standard-error';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { faultPoint } from '../../runtime/fault-point';
import type { Intent } from '../../store/journal/journal';
import { toStandardError } from '../failures';
import { guardOf, type BatchContext } from './batch-context';
import { captureDom, type CapturedPage } from '../pages/capture';
import { commandRecords } from './outcomes/command-records';
import type { CommandResult } from './handlers/command-handler';
import { COMMAND_HANDLERS } from './handlers';
import { blockedNavigation } from './network-guard';
import { isTargetClosed, isTimeout, toCommandError } from '../browsers/playwright-errors';
import { prepare } from './prepare';
import { readDeliveryMarker } from './find-target';
import { tell, type Intended, type OneResult } from './outcomes/record-outcome';

/** A commit was not through in its time, and its page does not say that nothing of it arrived. Its intent stays open. */
export class CommitUnansweredError extends Error {}

/**
 * Runs one command: intent into the journal, act, outcome into the journal with what was seen. While the outcome is
 * written the next command already looks for its element. Contract: rejects only when nothing can be said about the
 * command (the browser is gone, the store refuses, the database is away).
 */
export async function runCommand(
  scene: BatchContext,
  command: PlannedCommand,
  position: number,
  next: PlannedCommand | undefined,
): Promise<OneResult> {
  const { store, attachment, values, sessionId, stepIndex } = scene;
  const { commandId, action } = command;
  const effect = EFFECT_CLASS[action];
  // What may be repeated is stopped at once by a pause; what commits is never stopped in the middle.
  const signal = effect === 'commit' ? new AbortController().signal : scene.signal;
  const startedAt = performance.now();
  const frontBefore = attachment.page;
  const urlBefore = frontBefore.url();
  attachment.watch.startCollecting();

  const commitKeys = effect === 'commit' ? scene.idempotencyKeys : undefined;
  let idempotencyKey: string | undefined;
  const intend = async (): Promise<void> => {
    if ((await scene.outcome) === commandId) return;
    idempotencyKey = await commitKeys?.keyOf(command);
    faultPoint('before-intent', sessionId);
    const { intent, records } = intentOf(scene, command, position, urlBefore);
    await store.journal.intend(sessionId, guardOf(scene), { ...intent, idempotencyKey }, records);
  };
  // Looking for the element changes nothing, so it need not wait for the intent to be on disk; acting does. The mark of
  // a commit is armed before its intent is written: an intent without a mark means that its document is gone.
  const finding = prepare(scene, command, signal);
  const [prepared, intended] = await Promise.allSettled([
    finding,
    effect === 'commit' ? finding.then(intend, intend) : intend(),
    scene.captured,
  ]);
  if (intended.status === 'rejected') throw intended.reason;
  if (idempotencyKey !== undefined && prepared.status === 'fulfilled') await commitKeys?.begin(idempotencyKey);
  faultPoint('after-intent', sessionId);

  let done: CommandResult | void = undefined;
  let error: StandardError | undefined;
  let captured: Promise<CapturedPage> | undefined;
  let noted: Promise<unknown> = Promise.resolve();
  try {
    if (prepared.status === 'rejected') throw prepared.reason;
    const { element, parameters, secrets } = prepared.value;
    const refusal = action === 'OPEN_PAGE' ? blockedNavigation(scene.network, [parameters.url ?? '']) : undefined;
    if (refusal !== undefined) throw refusal;
    const acting = COMMAND_HANDLERS[action]({
      batch: scene,
      commandId,
      attachment,
      page: attachment.page,
      element,
      parameters,
      secrets,
      timeoutMs: scene.requestTimeoutMs,
      signal,
    });
    // The page is at work now and we are not.
    scene.backgroundTasks.startDeferred();
    done = await acting;
    faultPoint('after-act', sessionId);
    if (effect === 'commit') {
      // If we die while the page settles, nobody has to ask whether it happened. What is wrong with the store is told
      // by the outcome.
      noted = store.journal.markExecuted(sessionId, guardOf(scene), commandId).catch(() => {});
      scene.backgroundTasks.track(noted);
      captured = captureDom(attachment, values);
      // Most commits set nothing off that has to be waited for; then this is the page already.
      if (await attachment.watch.settle(attachment.page, scene.signal)) captured = undefined;
    }
    // It was done, and the page it leads to is not one of those that the session may see.
    const astray = blockedNavigation(scene.network, attachment.watch.requestedNavigations());
    if (astray !== undefined) throw astray;
  } catch (thrown) {
    if (isTargetClosed(thrown) && (await attachment.isLost())) throw toCommandError(thrown, action);
    const astray = blockedNavigation(scene.network, attachment.watch.requestedNavigations());
    if (effect === 'commit' && isTimeout(thrown) && prepared.status === 'fulfilled') {
      const mark = await readDeliveryMarker(attachment.context.pages(), commandId);
      if (mark !== 'armed')
        throw new CommitUnansweredError(`${action} was sent and has no answer yet.`, { cause: thrown });
    }
    if (scene.signal.aborted && effect !== 'commit') {
      // Stopped by a pause before it was through: the intent stays open, and the command runs again after the pause.
      return { commandId, status: 'skipped', screenshotId: '', domId: '' };
    }
    const context = { sessionId, stepIndex, commandId, moduleId: 'executor' };
    const full = toStandardError(astray ?? toCommandError(thrown, action), 'TL004', context);
    error = values.redactAll({ ...full, cause: undefined });
  }
  await commitKeys?.end();
  // Known before the outcome is: a worker that takes over after it goes on in this tab.
  if (attachment.page !== frontBefore)
    await store.leases.setTarget(sessionId, scene.epoch, await attachment.targetId());
  const url = attachment.page.url();
  return tell(
    scene,
    command,
    {
      effect: done,
      error,
      captured: captured ?? captureDom(attachment, values),
      evidence: attachment.watch.collected(),
      urlBefore,
      url,
      duration: Math.round(performance.now() - startedAt),
      noted,
    },
    mayBeIntendedAhead(next) ? () => intentOf(scene, next, position + 1, url) : undefined,
  );
}

/** What may be repeated needs no mark, so its intent can go with the outcome before it: one commit instead of two. */
function mayBeIntendedAhead(next: PlannedCommand | undefined): next is PlannedCommand {
  return next !== undefined && EFFECT_CLASS[next.action] !== 'commit';
}

function intentOf(scene: BatchContext, command: PlannedCommand, position: number, pageUrl: string): Intended {
  const { stepIndex, turn, values } = scene;
  const { commandId, action, parameters, target } = command;
  const intent: Intent = {
    commandId,
    stepIndex,
    turn,
    position,
    action,
    parameters,
    effect: EFFECT_CLASS[action],
    target: target && { ...target },
    pageUrl: values.redact(pageUrl),
  };
  return { intent, records: [commandRecords(scene, command).started()] };
}
