import type { AIResponse } from '../../contracts/ai-response';
import type { AIGeneratedCommand, BrowserAction, BrowserParameters } from '../../contracts/commands';
import type { SessionConfig, ValidationMode } from '../../contracts/config';
import type { DiscoveredElement, InvestigationPhase, ToolFinding } from '../../contracts/investigation';
import type { PageLook } from '../../contracts/page';
import type { Resolution } from '../../contracts/unknown-outcome';
import type { MemoryEntry } from '../../contracts/working-memory';
import type { EarlierStep } from '../../store/step-memory';

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
  /** Of a `skipped` one: the engine left it out, because it was done, or failed, on a page that reads the same. */
  isRepeat?: boolean | undefined;
}

/** One earlier iteration of this step: what the model said and what came of it, command by command. */
export interface Round {
  /** Number of its call in the step. */
  turn?: number | undefined;
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
  /** Most characters of the page in a prompt. */
  pageCharacters?: number | undefined;
  /** The page as a picture, where the session wants the model to have one. */
  picture?: { mediaType: string; base64: string; hasBoxes: boolean } | undefined;
  /** Names of the variables that `${name}` may refer to; their values are filled in at the browser. */
  variables: string[];
  /** The call with which the present try of the step began, when there was one before. */
  triedFrom?: number | undefined;
  /** A reply may ask for an investigation of the page (`context.investigate`). */
  mayInvestigate?: boolean | undefined;
  /** What was found out about this page for this call. */
  investigation?: Investigated | undefined;
  /** What the session has learnt that concerns this page. */
  memory?: MemoryEntry[] | undefined;
  /** The newest of the steps before this one, oldest first. */
  earlier?: EarlierStep[] | undefined;
}

/** What an investigation came to, as far as it came. */
export interface Investigated {
  summaries: string[];
  elements: DiscoveredElement[];
}

/** What a model is told to judge one phase of an investigation. */
export interface InvestigationQuestion extends StepQuestion {
  phase: InvestigationPhase;
  /** What is to be found; absent when the step is all there is to go by. */
  wanted?: string | undefined;
  /** Of this phase and those before it. */
  findings: ToolFinding[];
  /** Proposed so far. */
  candidates: DiscoveredElement[];
}

/** `judgement` is not trusted and goes through PhaseJudgementSchema. */
export type Assessment = Omit<ModelAnswer, 'reply' | 'warnings'> & { judgement: unknown };

/** `outputTokens` has everything that is billed as output, thoughts as well; `cachedTokens` are part of `inputTokens`. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
}

/**
 * One answer: `reply` is not trusted and goes through AIResponseSchema. Of a commit whose outcome is unknown it may say so
 * in `context.unknownOutcome`: `happened`, or `cannot-know`, upon which a person is asked. What it wants to have looked for
 * before it is asked again stands in `context.investigate`.
 */
export interface ModelAnswer {
  reply: unknown;
  usage: ModelUsage;
  /** The model that answered, `provider/model` or `rules`. */
  model: string;
  /** Characters of each part of the prompt. */
  promptSizes?: Record<string, number>;
  /** What was made of a reply that did not fit (S1.A26, lenient). */
  warnings?: string[];
}

/** One call of a provider that has ended, well or not: what it used is paid either way. */
export interface EndedCall {
  model: string;
  /** `replied`, or the kind of the trouble. */
  outcome: string;
  usage: ModelUsage;
  /** True where the provider told no usage: counted from the characters that were sent and received. */
  isEstimated: boolean;
  durationMs: number;
}

/** One call that is about to be made. */
export interface BegunCall {
  model: string;
  /** What is to be sent, counted from the characters. */
  usage: ModelUsage;
  /** The longest that the answer may be. */
  maxTokens: number;
  keyHash: string | undefined;
}

/** Who hears of a call while it goes on. */
export interface CallListener {
  /**
   * Before anything is sent: should this process die, the call is billed by what was to be sent. Throws when the call may
   * not be made: the budget, the rate limit or the breaker stands against it.
   */
  started(call: BegunCall): Promise<void>;
  delta(text: string): void;
  /** What this call has written counts no more: it failed, or its reply did not fit. */
  discarded(): Promise<void>;
  ended(call: EndedCall): Promise<void>;
}

/** How one question is asked. */
export interface Asking {
  signal: AbortSignal;
  ai: SessionConfig['ai'];
  validationMode: ValidationMode;
  /** Fences what the page says; no page can know it. */
  nonce: string;
  /** The operator's own system prompt, in place of the default one. */
  system?: string;
  listener: CallListener;
}

/** The port that every model stands behind. Contract: throws only what activities/failures.ts can translate. */
export interface Model {
  decide(question: StepQuestion, asking: Asking): Promise<ModelAnswer>;
  /** Judges one phase of an investigation. */
  assess(question: InvestigationQuestion, asking: Asking): Promise<Assessment>;
}

export type PromptPart = { kind: 'text'; text: string } | { kind: 'image'; mediaType: string; base64: string };

export type PromptMessage = { role: 'user'; parts: PromptPart[] } | { role: 'model'; text: string };

/** A function that the model may call instead of writing text. */
export interface FunctionTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface GenerationRequest {
  system: string;
  messages: PromptMessage[];
  /** What the answer must look like: JSON of a schema, a call of one of these functions, or free text. */
  answer: { kind: 'json'; schema: JsonSchema } | { kind: 'functions'; tools: FunctionTool[] } | { kind: 'text' };
  temperature: number;
  maxTokens: number;
  /** Time to the first chunk and between chunks; a slow, paid answer is not cut. */
  idleMs: number;
  signal: AbortSignal;
  onDelta: (text: string) => void;
}

export interface Generation {
  text: string;
  functionCalls: { name: string; input: unknown }[];
  stopReason: 'stop' | 'function-call';
  /** Undefined when the provider told none. */
  usage: ModelUsage | undefined;
  /** As the provider names it. */
  model: string;
}

/** The port that every vendor stands behind: one call, streamed. Throws ModelTrouble, or the reason of the signal. */
export interface LanguageModel {
  name: string;
  /** Under which the vendor counts our calls; without it nothing but the session's budget limits them. */
  keyHash?: string;
  generate(request: GenerationRequest): Promise<Generation>;
}

/** The part of JSON Schema that all vendors take. */
export interface JsonSchema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  additionalProperties?: boolean;
}
