import type { DialogOpening } from './events';
import { capped } from '../evidence/bounds';
import type { EvidenceLog } from '../evidence/evidence-log';

interface OpenDialog {
  at: string;
  opening: DialogOpening;
  /** Set while, and after, the keeper answers. */
  answering?: Promise<void> | undefined;
  /** Until the worker's time is up. */
  timer?: NodeJS.Timeout;
}

/** Half of what an attach may take: of one that a dialog holds up, the other half is left. */
const WORKER_ANSWERS_WITHIN_MS = 5000;

/**
 * The dialogs of one Chrome. A page stands still while its dialog is open and a worker can't even attach to it, so the
 * keeper answers for a page without a worker; a worker that is attached answers for itself. One that is just attaching
 * looks attached and does not hear of the dialog that holds it up: what a worker leaves open for long is answered too.
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

  /** The last worker is gone: whatever it left open would hold its successor up. */
  async answerAll(): Promise<void> {
    await Promise.all([...this.open].map(([pageSession, dialog]) => this.answerAsKeeper(pageSession, dialog)));
  }

  /** The page is gone, and its dialog with it. */
  forget(pageSession: string): void {
    clearTimeout(this.open.get(pageSession)?.timer);
    this.open.delete(pageSession);
  }

  private answerAsKeeper(pageSession: string, dialog: OpenDialog): Promise<void> {
    const isHarmless = dialog.opening.type === 'alert' || dialog.opening.type === 'beforeunload';
    dialog.answering ??= this.answer(pageSession, isHarmless).then(
      () => undefined,
      // Somebody answered first, or the page is gone: either way an event has told or will tell.
      () => void (dialog.answering = undefined),
    );
    return dialog.answering;
  }
}
