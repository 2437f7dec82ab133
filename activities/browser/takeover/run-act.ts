import { COMMANDS, EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { PageAsk } from '../../../contracts/browsers/takeover';
import { faultPoint } from '../../../runtime/fault-point';
import type { CommandIntent } from '../../../store/journal/intent';
import type { NumberedAct } from '../../../store/browsers/takeovers';
import { EngineError, toStandardError } from '../../activity/failures';
import { redactError } from '../../secrets/redact-error';
import { withinMs } from '../../../runtime/time-limit';
import { watchNewTabs } from '../commands/new-tabs';
import { guardOf, type ActContext } from './act-context';
import { actRecords } from './act-records';
import { keepListClosed } from './drawn-lists';
import { watchFileChooser } from './file-choosers';
import { performAct } from './perform-act';
import { planAct } from './plan-act';
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
  // A wheel turns what is in the view, and changes nothing of the page.
  if (act.kind !== 'wheel') await awaitLastAct(context);
  const read = act.kind === 'wheel' ? undefined : await readPage(attachment, values);
  const before = read && (await noteLastAct(context, read.snapshot));
  const { planned, ref } = await planAct(context, read, act);
  const commandId = `person.${takeoverId}.${number}`;
  const command = { commandId, ...planned };
  const intent: CommandIntent = {
    ...command,
    stepIndex,
    turn: 0,
    position: number,
    target: planned.target && { ...planned.target },
    effect: EFFECT_CLASS[planned.action],
    pageUrl: values.redact(attachment.page.url()),
    by: 'person',
    act: { takeoverId, number },
  };
  const records = actRecords(intent);
  await store.journal.intend(sessionId, guardOf(context), intent, [records.started()]);
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
  const answered = attachment.watch.collected().dialogs.length;
  const failure = await withinMs(ACT_LIMIT_MS, performAct(context, planned, act)).then(
    () => undefined,
    (error: unknown) => redactError(error, values),
  );
  if (await attachment.isLost()) throw failure ?? new Error('The connection to the browser was lost.');
  faultPoint('after-act', sessionId);
  if (COMMANDS[planned.action].mayOpenTab === true) await tabs.follow();
  // Whoever attaches next is shown the tab that is in front.
  if (attachment.page !== page) await store.leases.setTarget(sessionId, attachment.epoch, await attachment.targetId());
  const offered = await list?.read();
  const dialog = attachment.watch.collected().dialogs.slice(answered).at(-1);
  await finish(context, intent, failure);
  const shown: PageAsk | undefined =
    dialog === undefined
      ? offered && { ...offered, ask: number }
      : {
          kind: 'dialog',
          ask: number,
          type: dialog.type,
          message: values.redact(dialog.message),
          accepted: dialog.accepted,
        };
  if (shown !== undefined) await store.takeovers.keepAsked(sessionId, takeoverId, { shown, target: planned.target });
}

/** Ends what an earlier worker has begun and not recorded: nobody knows whether it happened, and it is not repeated. */
export async function closeLostActs(context: ActContext): Promise<void> {
  const { store, sessionId, stepIndex } = context;
  for (const entry of await store.journal.ofPersons(sessionId, stepIndex)) {
    if (entry.status !== 'intended') continue;
    const message =
      'The worker of the browser was lost while a person did this: it may have happened, and is not repeated.';
    await finish(context, entry, new EngineError('EX001', message), 'unknown');
  }
}

async function finish(
  context: ActContext,
  intent: Omit<CommandIntent, 'act'>,
  failure: unknown,
  status: 'failed' | 'unknown' = 'failed',
): Promise<void> {
  const { store, sessionId, stepIndex } = context;
  const { commandId } = intent;
  const records = actRecords(intent);
  const error =
    failure === undefined ? undefined : toStandardError(failure, 'EX001', { sessionId, stepIndex, commandId });
  await store.journal.finish(
    sessionId,
    guardOf(context),
    {
      commandId,
      status: error === undefined ? 'done' : status,
      response: { success: error === undefined, commandId, screenshotId: '', duration: 0, ...(error && { error }) },
      error,
    },
    [error === undefined ? records.completed() : records.failed(error)],
  );
}
