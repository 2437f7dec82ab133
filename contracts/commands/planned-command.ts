import type { BrowserAction, BrowserParameters } from './commands';

/** The element of a command: a selector that outlives the snapshot it was made from, and what it must match. */
export interface Target {
  selector: string;
  role: string;
  name: string;
  /** This element is the nth (from 0) of the `of` elements that the selector matched in the snapshot. */
  nth: number;
  of: number;
}

/** A command of an accepted reply, with its id and a durable target instead of a ref of one snapshot. */
export interface PlannedCommand {
  commandId: string;
  action: BrowserAction;
  parameters: BrowserParameters;
  target?: Target | undefined;
  /** What the row, card or group says that distinguishes the element from others of its role and name. */
  within?: string | undefined;
  /** The element of `toSelector`. */
  toTarget?: Target | undefined;
  /** Digest of the view of the page that a person was shown: it runs on no other. */
  viewDigest?: string | undefined;
  /** A person was asked before, and something else would have left: nobody is asked a third time. */
  isAskedAgain?: true | undefined;
  /** The tool call that it carries out, for the records of it (RecordFacts). */
  call?: { callId: string; toolName: string; args: Record<string, unknown> } | undefined;
}

/** Equal for commands that do the same at the same place of the page. */
export function viewKey({ action, target, parameters: { selector, x, y } }: PlannedCommand): string {
  return JSON.stringify([action, target?.selector ?? selector, target?.nth, target?.of, x, y]);
}
