import type { HeldDialog } from '../../../contracts/browsers/keeper';
import type { PageAsk } from '../../../contracts/browsers/takeover';
import { withinMs } from '../../../runtime/time-limit';
import type { Attachment } from '../attach/attachment';
import { pushBounded } from '../attach/bounded-evidence';
import type { KeeperClient } from '../attach/keeper-client';
import type { ActContext } from './act-context';

/** What a dialog has held up goes on so long after its answer before the next act comes. */
const GOES_ON_WITHIN_MS = 5000;

interface Held {
  /** Resolves once a dialog waits, and stands with what the page asks. */
  opened: PromiseWithResolvers<void>;
  /** What the page was asked for when the dialog opened. */
  heldUp: Promise<unknown>;
}

/** The browsers whose dialogs wait for a person. */
const heldAt = new WeakMap<Attachment, Held>();

/** Has the dialogs of the pages wait for the person, each so long. Those of a browser without DevTools are answered as always. */
export async function holdDialogs(
  { attachment, store, sessionId, takeoverId, values }: ActContext,
  keeper: KeeperClient,
  limitMs: number,
): Promise<void> {
  if (heldAt.has(attachment) || !attachment.hasDevTools) return;
  const held: Held = { opened: Promise.withResolvers(), heldUp: Promise.resolve() };
  await keeper.holdDialogs(sessionId, attachment.epoch, limitMs);
  heldAt.set(attachment, held);
  attachment.watch.dialogAnswers.waiter = () => {
    void keeper
      .heldDialog(sessionId, attachment.epoch)
      .then(async (dialog) => {
        if (dialog === undefined) return;
        const message = values.redact(dialog.message);
        await store.takeovers.keepAsked(sessionId, takeoverId, { shown: askOf({ ...dialog, message }) });
        await store.takeovers.notifier.notify(sessionId);
      })
      .catch(() => {
        // It is answered as always where the keeper or the database is gone for so long.
      })
      .finally(() => held.opened.resolve());
  };
}

/** Dialogs are answered as always again, and those that wait are so at once. */
export async function letDialogsGo(attachment: Attachment, sessionId: string, keeper: KeeperClient): Promise<void> {
  const held = heldAt.get(attachment);
  if (held === undefined) return;
  heldAt.delete(attachment);
  attachment.watch.dialogAnswers.waiter = undefined;
  attachment.watch.dialogAnswers.isWaiting = false;
  await keeper.holdDialogs(sessionId, attachment.epoch, null);
  await withinMs(GOES_ON_WITHIN_MS, held.heldUp).catch(() => {});
}

export function askOf({ dialog: ask, type, message, until }: HeldDialog): Extract<PageAsk, { kind: 'dialog' }> {
  return { kind: 'dialog', ask, type, message, until };
}

/**
 * Works at the page. Resolves to 'held' where a dialog holds the work up, which then goes on after the answer, and to
 * 'not-begun' where one holds the page up before.
 */
export async function unlessHeld<T>(attachment: Attachment, work: () => Promise<T>): Promise<T | 'held' | 'not-begun'> {
  const held = heldAt.get(attachment);
  if (held === undefined) return await work();
  const opened = held.opened.promise.then(() => 'held' as const);
  const before = withinMs(GOES_ON_WITHIN_MS, held.heldUp).then(
    () => 'free' as const,
    () => 'free' as const,
  );
  if ((await Promise.race([opened, before])) === 'held') return 'not-begun';
  const working = work();
  held.heldUp = working.catch(() => {});
  return await Promise.race([working, opened]);
}

/** Another dialog may open from now on: the one that waits is being answered. */
export function expectNextDialog(attachment: Attachment | undefined): void {
  const held = attachment && heldAt.get(attachment);
  if (held === undefined) return;
  held.opened = Promise.withResolvers();
  attachment!.watch.dialogAnswers.isWaiting = false;
}

/** Adds to the evidence of the act that has opened the dialog how it was answered. */
export function noteAnswered(
  attachment: Attachment | undefined,
  { type, message }: { type: string; message: string },
  answer: { accepted: boolean; isUnanswered?: true },
): void {
  if (attachment !== undefined && heldAt.has(attachment))
    pushBounded(attachment.watch.collected().dialogs, { type, message, ...answer });
}
