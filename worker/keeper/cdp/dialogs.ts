import type { DialogOpening } from './events';
import { capped } from '../evidence/bounds';
import type { EvidenceLog } from '../evidence/evidence-log';

interface OpenDialog {
  at: string;
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
 * does not receive the dialog, so one that stays open is answered too.
 */
export class Dialogs {
  private readonly open = new Map<string, OpenDialog>();

  constructor(
    private readonly answer: (pageSession: string, accept: boolean) => Promise<unknown>,
    private readonly isWorkerAttached: () => boolean,
    private readonly log: () => EvidenceLog,
  ) {}

  opened(pageSession: string, opening: DialogOpening): void {
    const dialog: OpenDialog = { at: new Date().toISOString(), opening };
    this.open.set(pageSession, dialog);
    if (!this.isWorkerAttached()) void this.answerAsKeeper(pageSession, dialog);
    else
      dialog.timer = setTimeout(() => void this.answerAsKeeper(pageSession, dialog), WORKER_ANSWERS_WITHIN_MS).unref();
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

  /** Answers what the last worker left open, which would block its successor. */
  async answerAll(): Promise<void> {
    await Promise.all([...this.open].map(([pageSession, dialog]) => this.answerAsKeeper(pageSession, dialog)));
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
