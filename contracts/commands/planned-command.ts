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
  /** The tool call that it carries out, for the records of it (RecordFacts). */
  call?: { callId: string; toolName: string; args: Record<string, unknown> } | undefined;
}
