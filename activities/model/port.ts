import type { AIResponse } from '../../contracts/ai-response';
import type { AIGeneratedCommand, BrowserAction, BrowserParameters } from '../../contracts/commands';
import type { PageLook } from '../../contracts/page';
import type { Resolution } from '../../contracts/unknown-outcome';

/** What became of one command of an earlier reply of this step. */
export interface CommandOutcome {
  action: BrowserAction;
  parameters: BrowserParameters;
  /** `skipped`: not run, because a command before it in the same reply failed or the batch was stopped. */
  status: 'done' | 'failed' | 'unknown' | 'skipped';
  error?: { code: string; message: string } | undefined;
  /** What the engine saw around it: address before and after, requests, dialogs. */
  evidence?: Record<string, unknown> | undefined;
  /**
   * Of an `unknown` one: who has said since whether it happened. A person has looked, so that is how it is: what happened
   * is not repeated, what did not is still to be done.
   */
  resolution?: Pick<Resolution, 'by' | 'happened'> | undefined;
}

/** One earlier iteration of this step: what the model said and what came of it, command by command. */
export interface Round {
  decision: AIResponse['decision'];
  reasoning: AIResponse['reasoning'];
  commands: AIGeneratedCommand[];
  context?: Record<string, unknown> | undefined;
  outcomes: CommandOutcome[];
}

/** Everything a model is told for one ACT-REFLECT iteration. */
export interface StepQuestion {
  instruction: string;
  stepIndex: number;
  /** From 0. */
  iteration: number;
  maxIterations: number;
  /** False for the last call of a step that has used up its iterations: it may only judge. */
  mayAct: boolean;
  rounds: Round[];
  /** The page as it is now (about:blank before the first one). */
  look: PageLook;
  /** Names of the variables that `${name}` may refer to; their values are filled in at the browser. */
  variables: string[];
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

/**
 * One answer: `reply` is not trusted and goes through AIResponseSchema. Of a commit whose outcome is unknown it may say so
 * in `context.unknownOutcome`: `happened`, or `cannot-know`, upon which a person is asked.
 */
export interface ModelAnswer {
  reply: unknown;
  usage: ModelUsage;
  /** The model that answered, `provider/model` or `rules`. */
  model: string;
}

/** The port that every provider stands behind. Contract: throws only what activities/failures.ts can translate. */
export interface Model {
  decide(question: StepQuestion, options: { signal: AbortSignal }): Promise<ModelAnswer>;
}
