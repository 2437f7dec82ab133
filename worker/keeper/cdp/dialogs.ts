import type { HeldDialog } from '../../../contracts/browsers/keeper';
import type { DialogOpening } from './events';
import { capped } from '../evidence/bounds';
import type { EvidenceLog } from '../evidence/evidence-log';

interface OpenDialog {
  at: string;
  number: number;
  /** How long it waits for somebody. */
  heldMs: number | undefined;
  opening: DialogOpening;
  /** Set once the keeper answers. */
  answering?: Promise<void> | undefined;
  /** Runs until the worker's time is over. */
  timer?: NodeJS.Timeout;
}

/** Half of the limit for an attach, so that an attach that a dialog blocks has the other half. */
const WORKER_ANSWERS_WITHIN_MS = 5000;

/**
 * The dialogs of one Chrome. A dialog blocks its page, and no worker can attach to such a page, so the keeper answers
 * for a page without a worker. An attached worker answers itself; a worker that is just attaching looks attached but
 * does not receive the dialog, so one that stays open is answered too. While dialogs are held, each waits for a person, also
 * past the death of the worker.
 */
export class Dialogs {
  private readonly open = new Map<string, OpenDialog>();
  private count = 0;
  private heldMs: number | undefined;

  constructor(
    private readonly answer: (pageSession: string, accept: boolean, promptText?: string) => Promise<unknown>,
    private readonly isWorkerAttached: () => boolean,
    private readonly log: () => EvidenceLog,
  ) {}

  opened(pageSession: string, opening: DialogOpening): void {
    const { heldMs } = this;
    const dialog: OpenDialog = { at: new Date().toISOString(), number: (this.count += 1), opening, heldMs };
    this.open.set(pageSession, dialog);
    const limitMs = heldMs ?? (this.isWorkerAttached() ? WORKER_ANSWERS_WITHIN_MS : undefined);
    if (limitMs === undefined) void this.answerAsKeeper(pageSession, dialog);
    else dialog.timer = setTimeout(() => void this.answerAsKeeper(pageSession, dialog), limitMs).unref();
  }

  /** Has each dialog that opens from now on wait so long. Undefined: none, and what waits is answered as always. */
  async hold(forMs: number | undefined): Promise<void> {
    this.heldMs = forMs;
    if (forMs === undefined) await this.answerLeft();
  }

  /** The one that waits longest. */
  held(): HeldDialog | undefined {
    const [dialog] = [...this.open.values()].filter(
      ({ heldMs, answering }) => heldMs !== undefined && answering === undefined,
    );
    if (dialog === undefined) return undefined;
    const { at, number, heldMs, opening } = dialog;
    const until = new Date(Date.parse(at) + heldMs!).toISOString();
    return { dialog: number, type: opening.type, message: capped(opening.message), url: capped(opening.url), until };
  }

  /** Answers for a person; false where that dialog is not open any more. */
  async answerHeld(number: number, accept: boolean, promptText?: string): Promise<boolean> {
    const [pageSession, dialog] = [...this.open].find(([, { number: its }]) => its === number) ?? [];
    if (pageSession === undefined || dialog!.answering !== undefined) return false;
    return await this.answer(pageSession, accept, promptText).then(
      () => true,
      () => false,
    );
  }

  closed(pageSession: string, accepted: boolean): void {
    const dialog = this.open.get(pageSession);
    if (dialog === undefined) return;
    this.forget(pageSession);
    const { at, opening, answering } = dialog;
    this.log().addDialog({
      at,
      type: opening.type,
      message: capped(opening.message),
      url: capped(opening.url),
      answeredBy: answering === undefined ? 'worker' : 'keeper',
      accepted,
    });
  }

  /** Answers what the last worker left open, which would block its successor; what is held stays. */
  async answerLeft(): Promise<void> {
    const left = [...this.open].filter(([, { heldMs }]) => heldMs === undefined || this.heldMs === undefined);
    await Promise.all(left.map(([pageSession, dialog]) => this.answerAsKeeper(pageSession, dialog)));
  }

  /** The page is gone with its dialog. */
  forget(pageSession: string): void {
    clearTimeout(this.open.get(pageSession)?.timer);
    this.open.delete(pageSession);
  }

  private answerAsKeeper(pageSession: string, dialog: OpenDialog): Promise<void> {
    const isHarmless = dialog.opening.type === 'alert' || dialog.opening.type === 'beforeunload';
    dialog.answering ??= this.answer(pageSession, isHarmless).then(
      () => undefined,
      // Answered by somebody else, or the page is gone: an event reports either.
      () => void (dialog.answering = undefined),
    );
    return dialog.answering;
  }
}
