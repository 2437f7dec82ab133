import type { AIResponse } from '../../contracts/models/ai-response';
import type { AIGeneratedCommand, BrowserAction, BrowserParameters } from '../../contracts/commands/commands';
import type { SessionConfig, ValidationMode } from '../../contracts/sessions/config';
import type { DiscoveredElement, InvestigationPhase, ToolFinding } from '../../contracts/steps/investigation';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { Resolution } from '../../contracts/approvals/unknown-outcome';
import type { ModelTokens } from '../../contracts/models/usage';
import type { MemoryEntry } from '../../contracts/steps/working-memory';
import type { CalledFunction, ReplyMessage } from '../../store/models/messages';
import type { EarlierStep } from '../../store/models/step-memory';

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
export interface PastIteration {
  /** Number of its call in the step. */
  turn?: number | undefined;
  decision: AIResponse['decision'];
  reasoning: AIResponse['reasoning'];
  commands: AIGeneratedCommand[];
  context?: Record<string, unknown> | undefined;
  outcomes: CommandOutcome[];
}

/** Everything a model is told for one ACT-REFLECT iteration. */
export interface DecisionRequest {
  instruction: string;
  stepIndex: number;
  /** From 0. */
  iteration: number;
  maxIterations: number;
  /** False for the last call of a step that has used up its iterations: it may only judge. */
  mayAct: boolean;
  pastIterations: PastIteration[];
  /** The page as it is now (about:blank before the first one). */
  snapshot: PageSnapshot;
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
  investigation?: InvestigationResult | undefined;
  /** What the session has learnt that concerns this page. */
  memory?: MemoryEntry[] | undefined;
  /** The newest of the steps before this one, oldest first. */
  earlierSteps?: EarlierStep[] | undefined;
}

/** What an investigation came to, as far as it came. */
export interface InvestigationResult {
  summaries: string[];
  elements: DiscoveredElement[];
}

/** What a model is told to judge one phase of an investigation. */
export interface AssessmentRequest extends DecisionRequest {
  phase: InvestigationPhase;
  /** What is to be found; absent when the step is all there is to go by. */
  wanted?: string | undefined;
  /** Of this phase and those before it. */
  findings: ToolFinding[];
  /** Proposed so far. */
  candidates: DiscoveredElement[];
}

/** `judgement` is not trusted and goes through PhaseJudgementSchema. */
export type Assessment = Omit<DecisionResult, 'reply' | 'warnings'> & { judgement: unknown };

export type ModelUsage = ModelTokens;

/**
 * One answer: `reply` is not trusted and goes through AIResponseSchema. Of a commit whose outcome is unknown it may say so
 * in `context.unknownOutcome`: `happened`, or `cannot-know`, upon which a person is asked. What it wants to have looked for
 * before it is asked again stands in `context.investigate`.
 */
export interface DecisionResult {
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
export interface StartedCall {
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
  started(call: StartedCall): Promise<void>;
  delta(text: string): void;
  thought?(text: string): void;
  /** What this call has written counts no more: it failed, or its reply did not fit. */
  discarded(): Promise<void>;
  ended(call: EndedCall): Promise<void>;
}

/** How one question is asked. */
export interface CallOptions {
  signal: AbortSignal;
  ai: SessionConfig['ai'];
  validationMode: ValidationMode;
  /** Fences what the page says; no page can know it. */
  nonce: string;
  /** The operator's own system prompt, in place of the default one. */
  system?: string;
  listener: CallListener;
}

export type TurnOptions = Pick<CallOptions, 'signal' | 'ai' | 'listener'>;

/** What a model is asked in one turn of a task. */
export interface TurnRequest {
  system: string;
  messages: PromptMessage[];
  tools: FunctionTool[];
  /** The task in its own words. */
  task: string;
  /** Where the task begins, when it says so. */
  url?: string | undefined;
  stepIndex: number;
  /** From 0. */
  turn: number;
  maxSteps: number;
  /** The page as it was last looked at. */
  snapshot: PageSnapshot;
  variables: string[];
  /** What a browser that is not ours has told of its page last; absent where the session has one of its own. */
  remotePageText?: string | undefined;
  /** The replies of this task so far and what became of their calls, oldest first; for a model that reads no messages. */
  pastTurns: PastTurn[];
}

export interface PastTurn {
  turn: number;
  raw: RawReply | undefined;
  /** Names of the tools that were called, in the order of `ends`. */
  calls: string[];
  outcomes: Pick<CommandOutcome, 'status' | 'error' | 'evidence' | 'resolution'>[];
}

export type TurnResult = Omit<Generation, 'usage'> & {
  usage: ModelUsage;
  /** It says itself that the task is not done: the task fails with its words. A vendor's model has no such word. */
  isGivenUp?: true | undefined;
};

/** The port that every model stands behind. Contract: throws only what activities/failures.ts can translate. */
export interface Model {
  decide(request: DecisionRequest, options: CallOptions): Promise<DecisionResult>;
  /** Judges one phase of an investigation. */
  assess(request: AssessmentRequest, options: CallOptions): Promise<Assessment>;
  /** One turn of a task: text, calls of tools, or both. */
  turn(request: TurnRequest, options: TurnOptions): Promise<TurnResult>;
  /** What a part of a conversation comes to, for a model that goes on without it. Undefined: it only counts as it is. */
  summarize?: ((transcript: string, options: TurnOptions) => Promise<string>) | undefined;
}

export type PromptPart = { kind: 'text'; text: string } | { kind: 'image'; mediaType: string; base64: string };

/** A call of a function; `args` is JSON text as the model wrote it, which may be no JSON at all; `id` is the vendor's own. */
export interface GeneratedCall {
  id?: string | undefined;
  name: string;
  args: string;
}

/**
 * The parts of a reply in the words of its vendor, so that what only it can read (signatures of thoughts) comes back whole.
 * To any other provider the neutral text and calls are sent.
 */
export type RawReply = NonNullable<ReplyMessage['raw']>;

/** A call in a conversation; `callId` pairs it with its result, `functionId` is the vendor's own id. */
export type ConversationCall = CalledFunction;

/** What came of a call: texts and pictures. */
export interface ConversationResult {
  call: ConversationCall;
  parts: PromptPart[];
  isError: boolean;
}

/** `results` answers every call of the `model` message right before it; `parts` is what is said beside them. */
export type PromptMessage =
  | { role: 'user'; parts: PromptPart[] }
  | { role: 'model'; text: string; calls?: ConversationCall[]; raw?: RawReply | undefined }
  | { role: 'results'; results: ConversationResult[]; parts: PromptPart[] };

/** A function that the model may call instead of writing text. */
export interface FunctionTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export interface GenerationRequest {
  system: string;
  messages: PromptMessage[];
  /**
   * What the answer must look like: JSON of a schema, a call of one of these functions, free text, or `tools`: text, calls
   * of any of these functions, or both.
   */
  answer:
    | { kind: 'json'; schema: JsonSchema }
    | { kind: 'functions'; tools: FunctionTool[] }
    | { kind: 'text' }
    | { kind: 'tools'; tools: FunctionTool[] };
  temperature: number;
  maxTokens: number;
  /** Time to the first chunk and between chunks; a slow, paid answer is not cut. */
  idleMs: number;
  signal: AbortSignal;
  onDelta: (text: string) => void;
  /** The model's thoughts, where it tells them. */
  onThought?: ((text: string) => void) | undefined;
}

export interface Generation {
  text: string;
  thoughts: string;
  functionCalls: GeneratedCall[];
  /** `max_tokens` only where the answer is `tools`: any other that is cut off is none. */
  stopReason: 'end_turn' | 'tool_calls' | 'max_tokens';
  /** Where the answer is `tools`. */
  raw?: RawReply | undefined;
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
