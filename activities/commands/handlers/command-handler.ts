import type { Locator, Page } from 'playwright';
import type { BrowserParameters } from '../../../contracts/commands/commands';
import type { Attachment } from '../../browsers/attachment';
import type { BatchContext } from '../batch-context';
import type { BoundSecret } from '../../secrets/session-values';

/** What a command works with. The element, where it has one, was found and is the only one that fits. */
export interface CommandContext {
  /** For what a command keeps beside its outcome, and for its id. */
  batch: BatchContext;
  commandId: string;
  attachment: Attachment;
  page: Page;
  element: Locator | undefined;
  /** Variables are filled in; never to be told outside. */
  parameters: BrowserParameters;
  /** Those whose values stand in the parameters. */
  secrets: readonly BoundSecret[];
  timeoutMs: number;
  /** Aborts a command that may be repeated, at a pause; never one that commits. */
  signal: AbortSignal;
}

/** What a command has to tell beside that it worked. */
export interface CommandResult {
  variable?: { name: string; value: string };
  /** What a tool's caller is told; not yet redacted. */
  output?: string;
  /** A picture that was taken for it. */
  pictureId?: string;
}

/** Contract: resolves when the action is done, throws when it was not. */
export type CommandHandler = (scene: CommandContext) => Promise<CommandResult | void>;
