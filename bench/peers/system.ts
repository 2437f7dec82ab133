import type { Random } from '../chaos/random';

/** How one order went, as the system itself says. */
export interface Ran {
  /** `never`: it had not ended within RUN_LIMIT_MS. */
  end: 'well' | 'failed' | 'never';
  /** Undefined where no model is called. */
  tokens?: number | undefined;
  /** How often it has asked a person whether something had happened. */
  asked?: number;
}

/** One way to place the demo's order. */
export interface System {
  name: string;
  /** Whether an order doubled or lost breaks a rule of this project. */
  isOurs: boolean;
  /** Places the order once; the shop counts it under this label. */
  order(run: string): Promise<Ran>;
  /** Returns the process to kill now, or a group of them as a negative number; undefined where nothing drives. */
  findVictim(random: Random): Promise<number | undefined>;
  /** Returns the ids of all processes that work for it. */
  processes(): number[];
}

/** What one order may take, with all that is killed meanwhile. */
export const RUN_LIMIT_MS = 240_000;
