import type { Locator, Page } from 'playwright';
import type { BrowserAction, ParametersOf } from '../../../../contracts/commands/commands';
import type { Attachment } from '../../attach/attachment';
import type { BatchContext } from '../batch-context';
import type { BoundSecret } from '../../../secrets/session-values';
import type { FieldFacts } from '../typing/field-facts';

/** What the handler of one command works with. */
export interface CommandContext<A extends BrowserAction> {
  /** For what a handler stores beside its outcome. */
  batch: BatchContext;
  commandId: string;
  attachment: Attachment;
  page: Page;
  /** The only element that the selector matches; there is one wherever the parameters require a selector. */
  element: ParametersOf<A> extends { selector: string } ? Locator : Locator | undefined;
  /** The element that `toSelector` matches, where the parameters have one. */
  toElement: Locator | undefined;
  /** For INPUT_TEXT: what the element takes, by the page that it was found on. */
  field?: FieldFacts | undefined;
  /** Checked, with the variables filled in: they may contain secrets, so they stay in this process. */
  parameters: ParametersOf<A>;
  /** The secrets whose values are in the parameters. */
  secrets: readonly BoundSecret[];
  timeoutMs: number;
  /** Aborts a command that may be repeated, at a pause; never one that commits. */
  signal: AbortSignal;
}

/** What a handler reports beside that the command is done. */
export interface CommandResult {
  variable?: { name: string; value: string };
  /** The result of the tool call; not yet redacted. */
  output?: string;
  /** The artifact of a screenshot that belongs to the output. */
  pictureId?: string;
  /** What stands in the field that was filled in, where it was read back. */
  held?: string;
}

/** Resolves when the command is done, rejects when it is not. */
export type CommandHandler<A extends BrowserAction> = (context: CommandContext<A>) => Promise<CommandResult | void>;

/** A handler for each command of a file of definitions. */
export type CommandHandlers<Definitions> = { [A in keyof Definitions & BrowserAction]: CommandHandler<A> };
