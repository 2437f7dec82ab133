import type { Dialog } from 'playwright';
import type { PageEvidence } from '../../../contracts/commands/evidence';
import { pushBounded } from './bounded-evidence';

/** How to answer a dialog (HANDLE_DIALOG). Without it an alert is accepted, a page may be left, and a question is dismissed. */
interface DialogAnswer {
  accept: boolean;
  promptText?: string | undefined;
}

/** The command that acts now, or the one before where a command only looks. */
interface Acting {
  commandId: string;
  stepIndex: number;
}

/**
 * The answers that were given for the dialogs of one command: of the next one that acts. They end when another command acts
 * and when the step of theirs ends, so that no answer meets a dialog that nobody has thought of.
 */
export class DialogAnswers {
  private given: DialogAnswer[] = [];
  private owner: Acting | undefined;
  /** Takes the dialogs that no answer was given for: they wait for a person. */
  waiter: (() => void) | undefined;
  /** One of them has opened, and may wait still. */
  isWaiting = false;

  /** Gives an answer for the next command that acts. Of several the first is for its first dialog; the last one is for all further ones. */
  give(answer: DialogAnswer): void {
    if (this.owner !== undefined) this.end();
    this.given.push(answer);
  }

  /** Begins a command; one that only looks waits for what the command before it has opened. */
  begin({ commandId, stepIndex }: Acting, onlyLooks: boolean): void {
    const isOver = this.owner !== undefined && this.owner.stepIndex !== stepIndex;
    if (isOver || (this.owner !== undefined && !onlyLooks && this.owner.commandId !== commandId)) this.end();
    if (!onlyLooks) this.owner = { commandId, stepIndex };
  }

  /** Answers a dialog that has opened, and adds it to the evidence, or has it wait. */
  meet(dialog: Dialog, evidence: PageEvidence['dialogs']): void {
    if (this.waiter === undefined || this.given.length > 0) pushBounded(evidence, this.answer(dialog));
    else {
      this.isWaiting = true;
      this.waiter();
    }
  }

  /** An alert leaves the answers for the questions after it. */
  private answer(dialog: Dialog): PageEvidence['dialogs'][number] {
    const type = dialog.type();
    const isQuestion = type === 'confirm' || type === 'prompt';
    const given = type !== 'alert' && this.given.length > 1 ? this.given.shift() : this.given[0];
    const { accept, promptText } = given ?? { accept: !isQuestion };
    (accept ? dialog.accept(promptText) : dialog.dismiss()).catch(() => {
      // The dialog or its page has closed.
    });
    const message = dialog.message().slice(0, 500);
    return { type, message, accepted: accept, ...(isQuestion && given === undefined ? { isUnanswered: true } : {}) };
  }

  /** Drops what was given. */
  end(): void {
    this.given = [];
    this.owner = undefined;
  }
}
