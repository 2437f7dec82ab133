import type { BrowserAction, BrowserParameters } from '../../contracts/commands/commands';
import type { EffectClass } from '../../contracts/commands/define-command';

/** Written before a command acts. */
export interface CommandIntent {
  commandId: string;
  stepIndex: number;
  turn: number;
  position: number;
  action: BrowserAction;
  parameters: BrowserParameters;
  effect: EffectClass;
  target?: Record<string, unknown> | undefined;
  pageUrl: string;
  /** Sent with its requests, where the session's config asks for it. */
  idempotencyKey?: string | undefined;
}
