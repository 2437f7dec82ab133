import { COMMANDS } from '../../../contracts/commands/commands';
import type { PageAsk, PersonAct } from '../../../contracts/browsers/takeover';
import { faultPoint } from '../../../runtime/fault-point';
import type { NumberedAct } from '../../../store/browsers/takeovers';
import { redactError } from '../../secrets/redact-error';
import { withinMs } from '../../../runtime/time-limit';
import { watchNewTabs } from '../commands/new-tabs';
import type { ActContext } from './act-context';
import { copiedText } from './copied-text';
import { heldUp } from './answer-dialog';
import { keepListClosed } from './drawn-lists';
import { watchFileChooser } from './file-choosers';
import { unlessHeld } from './held-dialogs';
import { performAct } from './perform-act';
import { planAct } from './plan-act';
import { beginAct, finishAct } from './record-act';
import { awaitLastAct, beginSighting, noteLastAct } from './sight-acts';
import { readPage } from './target-at';

/** A page that hangs takes no input; the person sees that it does. */
const ACT_LIMIT_MS = 5000;

/**
 * Does one act of a person: its intent is written first, which removes the act, so no other attempt does it again. Throws
 * StoreRefusal where the session goes on, or another worker has the browser.
 */
export async function runAct(context: ActContext, { number, act }: NumberedAct): Promise<void> {
  const { store, sessionId, stepIndex, takeoverId, attachment, values } = context;
  const prepared = await unlessHeld(attachment, () => prepare(context, act));
  // A dialog has opened meanwhile: it comes first.
  if (typeof prepared === 'string') return;
  const { before, planned, ref } = prepared;
  const pageUrl = values.redact(attachment.page.url());
  const intent = await beginAct(context, { number, planned, pageUrl });
  const { commandId } = intent;
  const command = { commandId, ...planned };
  faultPoint('after-intent', sessionId);
  const { page } = attachment;
  // What a pointer does on its way leaves an open list open.
  const isOnTheWay = act.kind === 'hover' || act.kind === 'wheel';
  if (!isOnTheWay) await store.takeovers.keepAsked(sessionId, takeoverId, null);
  const tabs = await watchNewTabs(attachment, command);
  const list = await keepListClosed(page, planned.target, values, act);
  if (before !== undefined) beginSighting(context, command, ref, before);
  attachment.watch.dialogAnswers.begin({ commandId, stepIndex }, isOnTheWay || act.kind === 'dialog');
  if (!isOnTheWay && act.kind !== 'files') watchFileChooser(context, number, planned.target);
  // Before the key, which may cut it out.
  const copied = await copiedText(page, values, act);
  const answered = attachment.watch.collected().dialogs.length;
  const performed = await withinMs(
    ACT_LIMIT_MS,
    unlessHeld(attachment, () => performAct(context, planned, act)),
  ).catch((error: unknown) => ({ failure: redactError(error, values) }));
  const failure = typeof performed === 'object' ? performed.failure : undefined;
  if (await attachment.isLost()) throw failure ?? new Error('The connection to the browser was lost.');
  faultPoint('after-act', sessionId);
  // The page has taken it in, and waits with a dialog.
  if (performed === 'held') return await finishAct(context, intent, undefined);
  if (performed === 'not-begun') return await finishAct(context, intent, heldUp());
  if (COMMANDS[planned.action].mayOpenTab === true) await tabs.follow();
  // Whoever attaches next is shown the tab that is in front.
  if (attachment.page !== page) await store.leases.setTarget(sessionId, attachment.epoch, await attachment.targetId());
  const offered = await list?.read();
  const dialog = attachment.watch.collected().dialogs.slice(answered).at(-1);
  await finishAct(context, intent, failure);
  const shown: PageAsk | undefined =
    dialog === undefined
      ? copied === undefined
        ? offered && { ...offered, ask: number }
        : { kind: 'copied', ask: number, text: copied }
      : {
          kind: 'dialog',
          ask: number,
          type: dialog.type,
          message: values.redact(dialog.message),
          accepted: dialog.accepted,
        };
  if (shown !== undefined) await store.takeovers.keepAsked(sessionId, takeoverId, { shown, target: planned.target });
}

/** Reads the page for an act, and plans it. */
async function prepare(context: ActContext, act: PersonAct) {
  // A wheel turns what is in the view, and changes nothing of the page.
  if (act.kind !== 'wheel') await awaitLastAct(context);
  const read = act.kind === 'wheel' ? undefined : await readPage(context.attachment, context.values);
  const before = read && (await noteLastAct(context, read.snapshot));
  return { before, ...(await planAct(context, read, act)) };
}
