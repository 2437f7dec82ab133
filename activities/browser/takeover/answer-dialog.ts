import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldDialog } from '../../../contracts/browsers/keeper';
import type { PersonAct } from '../../../contracts/browsers/takeover';
import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { faultPoint } from '../../../runtime/fault-point';
import type { NumberedAct, TakeoverRow } from '../../../store/browsers/takeovers';
import type { SessionRow } from '../../../store/sessions/sessions';
import { EngineError, STALE_LEASE } from '../../activity/failures';
import { loadSessionValues } from '../../secrets/session-values';
import { isOfType } from '../attach/attach';
import type { BrowserDeps } from '../attach/browser-deps';
import type { KeeperClient } from '../attach/keeper-client';
import type { ActPlace } from './act-context';
import { askOf, expectNextDialog, noteAnswered } from './held-dialogs';
import { MASKED, planDialogAnswer, type PlannedAct } from './plan-act';
import { beginAct, finishAct } from './record-act';

/** A dialog that waits for the person. No worker has to be attached for its answer, and none can be. */
export interface WaitingDialog {
  dialog: HeldDialog;
  keeper: KeeperClient;
  place: ActPlace;
}

const LIMIT_POLL_MS = 250;

/** What cannot be done while a dialog holds the page, as the log has it. */
const REFUSED: Record<Exclude<PersonAct['kind'], 'dialog'>, PlannedAct['action']> = {
  click: 'CLICK_POINT',
  hover: 'HOVER',
  wheel: 'SCROLL',
  key: 'PRESS_KEY',
  text: 'TYPE_TEXT',
  choose: 'SELECT_OPTION',
  files: 'UPLOAD_FILE',
  tab: 'SWITCH_TAB',
};

/**
 * Finds the dialog that waits for the person: one that the row knows, or one over which a worker has died. Where its time is
 * over meanwhile, the person is shown how it was answered.
 */
export async function findWaitingDialog(
  { store, attachments, env }: BrowserDeps,
  { sessionId, runId, currentStep: stepIndex }: SessionRow,
  { takeoverId, asks }: TakeoverRow,
): Promise<WaitingDialog | undefined> {
  const shown = asks?.shown.kind === 'dialog' && asks.shown.accepted === undefined ? asks.shown : undefined;
  const attachment = attachments.current(sessionId);
  // One that is attached hears of each.
  if (shown === undefined && attachment?.watch.dialogAnswers.isWaiting === false) return undefined;
  const lease = await store.leases.get(sessionId);
  if (lease === null) return undefined;
  const { epoch } = lease;
  const keeper = await attachments.keeper();
  const dialog = await keeper.heldDialog(sessionId, epoch).catch((error: unknown) => {
    // Whoever attaches finds out.
    if (isOfType(error, BROWSER_GONE) || isOfType(error, STALE_LEASE)) return undefined;
    throw error;
  });
  if (dialog === undefined) {
    expectNextDialog(attachment);
    if (shown === undefined) return undefined;
    const accepted = shown.type === 'alert' || shown.type === 'beforeunload';
    const { until: _over, ...answered } = shown;
    await store.takeovers.keepAsked(sessionId, takeoverId, { shown: { ...answered, accepted } });
    noteAnswered(attachment, shown, { accepted, ...(accepted ? {} : { isUnanswered: true }) });
    return undefined;
  }
  const values = await loadSessionValues(store, sessionId, env);
  const redacted = { ...dialog, message: values.redact(dialog.message), url: values.redact(dialog.url) };
  if (shown?.ask !== dialog.dialog) await store.takeovers.keepAsked(sessionId, takeoverId, { shown: askOf(redacted) });
  const place = { store, sessionId, stepIndex, runId: runId!, takeoverId, attachment: { epoch } };
  return { dialog: redacted, keeper, place };
}

/** Answers the dialog, or refuses what can't be done before. The keeper answers it once, whichever worker asks. */
export async function actAtDialog(
  { attachments, env }: BrowserDeps,
  { dialog: { dialog, type, message, url: pageUrl }, keeper, place }: WaitingDialog,
  { number, act }: NumberedAct,
): Promise<void> {
  const { store, sessionId, takeoverId, attachment } = place;
  const values = await loadSessionValues(store, sessionId, env);
  const planned = act.kind === 'dialog' ? planDialogAnswer(act, values) : refusedAct(act);
  const intent = await beginAct(place, { number, planned, pageUrl });
  faultPoint('after-intent', sessionId);
  let failure: EngineError | undefined;
  if (act.kind !== 'dialog') failure = heldUp(message);
  else {
    const current = attachments.current(sessionId);
    const { ask = dialog, accept, text: promptText } = act;
    // Before it is answered: what follows may ask anew.
    if (ask === dialog) {
      await store.takeovers.keepAsked(sessionId, takeoverId, null);
      expectNextDialog(current);
    }
    if (await keeper.answerDialog(sessionId, attachment.epoch, { dialog: ask, accept, promptText }))
      noteAnswered(current, { type, message }, { accepted: accept });
    else failure = alreadyAnswered();
  }
  faultPoint('after-act', sessionId);
  await finishAct(place, intent, failure);
}

/** What can't be done while a dialog waits. */
export function heldUp(message?: string): EngineError {
  const what = message === undefined ? 'its dialog' : `“${message}”`;
  const said = `The page waits for an answer to ${what}, and takes nothing else. Answer it first.`;
  return new EngineError('EX002', said);
}

/** An answer that came too late. */
export function alreadyAnswered(): EngineError {
  return new EngineError('EX002', 'That dialog is not open any more: it was answered meanwhile, or its page has gone.');
}

/** Waits for its answer, or for its limit, where this worker has the browser; false where another one does. */
export async function awaitAnswer({ attachments }: BrowserDeps, { place }: WaitingDialog): Promise<boolean> {
  if (attachments.current(place.sessionId) === undefined) return false;
  await sleep(LIMIT_POLL_MS);
  return true;
}

function refusedAct(act: Exclude<PersonAct, { kind: 'dialog' }>): PlannedAct {
  const action = REFUSED[act.kind];
  if (act.kind === 'key') return { action, parameters: { key: act.key } };
  // It may have been meant for a password field.
  if (act.kind === 'text') return { action, parameters: { text: MASKED } };
  return { action, parameters: 'x' in act ? { x: act.x, y: act.y } : {} };
}
