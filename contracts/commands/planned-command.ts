import type { BrowserAction, BrowserParameters } from './commands';

/** Where a command points: a selector that survives the look it was made from, and what must be found there. */
export interface Target {
  selector: string;
  role: string;
  name: string;
  /** This element is the nth (from 0) of `of` that the selector matched when the page was looked at. */
  nth: number;
  of: number;
}

/** A command of an accepted reply: with its id, and pointing at a durable target instead of a ref of one look. */
export interface PlannedCommand {
  commandId: string;
  action: BrowserAction;
  parameters: BrowserParameters;
  target?: Target | undefined;
  /** The tool call that it carries out, for the records of it (RecordFacts). */
  call?: { callId: string; toolName: string; args: Record<string, unknown> } | undefined;
}
