import type { BrowserAction, BrowserParameters } from '../../contracts/commands/commands';
import type { EffectClass } from '../../contracts/commands/define-command';

/** A key as it is entered for a step, or for the whole session where `stepIndex` is null. */
export interface KeyClaim {
  key: string;
  origin: string;
  withinMs: number;
  stepIndex: number | null;
}

/** Written before a command acts. */
export interface CommandIntent {
  commandId: string;
  stepIndex: number;
  turn: number;
  position: number;
  action: BrowserAction;
  parameters: BrowserParameters;
  /** Of what is going to be done: `pure` also of a commit that could not be prepared, or that somebody else has made. */
  effect: EffectClass;
  target?: Record<string, unknown> | undefined;
  pageUrl: string;
  /** Sent with its requests, where the session's config asks for it. */
  idempotencyKey?: string | undefined;
  /** What it does is to happen once: the key that is entered with the intent. */
  once?: KeyClaim | undefined;
  /** It is done by a person who has taken the browser over. */
  by?: 'person' | undefined;
  /** The act of the person that it carries out. */
  act?: { takeoverId: string; number: number } | undefined;
}
