import type { View } from '../browsers/viewport';
import type { ModelLimits } from '../models/model-limits';
import type { AIResponse } from '../models/ai-response';
import type { CommandEvidence } from '../commands/evidence';
import type { AIGeneratedCommand, BrowserAction, BrowserParameters } from '../commands/commands';
import type { CallerKey } from '../sessions/model-connections';
import type { SessionConfig, ValidationMode } from '../sessions/config';
import type { OutcomePolicy } from '../sessions/outcome-policy';
import type { DiscoveredElement, InvestigationPhase, ToolFinding } from '../steps/investigation';
import type { PageSnapshot } from '../browsers/page-snapshot';
import type { Resolution } from '../approvals/unknown-outcome';
import type { ResultPart } from '../results/result-part';
import type { MemoryEntry } from '../steps/working-memory';
import type { EarlierStep } from '../steps/earlier-step';
import type { FunctionTool, Generation, ModelUsage, PromptMessage, RawReply } from './language-model';

/** The port that every model implements: a vendor's language model (prompted-model.ts) and `rules`. */
export interface Model {
  /** Decides on the next commands of a step. */
  decide(request: DecisionRequest, options: CallOptions): Promise<DecisionResult>;
  /** Says a step in the words of `rules`, for the page that is shown. A model without this method says none. */
  read?:
    ((request: DecisionRequest, options: CallOptions, refused?: RefusedReading) => Promise<StepReading>) | undefined;
  /** Judges one phase of an investigation. */
  assess(request: AssessmentRequest, options: CallOptions): Promise<Assessment>;
  /** Takes one turn of a task: text, tool calls, or both. */
  turn(request: TurnRequest, options: TurnOptions): Promise<TurnResult>;
  /** Says one deed at a time, and gets what that takes (`TurnRequest.led`) beside the conversation. */
  saysDeeds?: boolean | undefined;
  /** Summarizes a part of a conversation. A model without this method gets a line for each call instead. */
  summarize?: ((transcript: string, options: TurnOptions) => Promise<string>) | undefined;
}

/** Finds a model by its name, `vendor/model` or `rules`, by the connection that it is called through, and the caller's key. */
export type ModelResolver = (ai: Pick<SessionConfig['ai'], 'model' | 'connectionId'>, callerKey?: CallerKey) => Model;

/** One ACT-REFLECT iteration of a step. */
export interface DecisionRequest {
  instruction: string;
  stepIndex: number;
  /** From 0. */
  iteration: number;
  maxIterations: number;
  /** False for the call after the last iteration: it may judge and run nothing. */
  mayAct: boolean;
  pastIterations: PastIteration[];
  /** The page as it is now; about:blank before the first one. */
  snapshot: PageSnapshot;
  /** Most characters of the page in a prompt. */
  pageCharacters?: number | undefined;
  /** A screenshot, where the session's configuration asks for one. */
  picture?: { mediaType: string; base64: string; hasBoxes: boolean } | undefined;
  /** Names of the variables that `${name}` may refer to. The browser worker fills in their values. */
  variables: string[];
  /** The values of those that are no secrets, for a model that finds by them what the page shows; no prompt has them. */
  variableValues?: Record<string, string> | undefined;
  /** The turn with which the present try of the step began, if it is not the first try. */
  triedFrom?: number | undefined;
  /** What the model has judged to speak against the step being done. */
  judgedAgainst?: string | undefined;
  /** Whether a reply may ask for an investigation of the page (`context.investigate`). */
  mayInvestigate?: boolean | undefined;
  /** The investigation that was made for this call. */
  investigation?: InvestigationResult | undefined;
  /** What the session has learnt about this page. */
  memory?: MemoryEntry[] | undefined;
  /** What persons who took the browser over have done in this step, oldest first. */
  doneByPersons?: string[] | undefined;
  /** The most recent steps before this one, oldest first. */
  earlierSteps?: EarlierStep[] | undefined;
  /** What the model wrote down in earlier steps, oldest first. */
  notes?: string[] | undefined;
  /** The instructions of the steps that follow. */
  laterSteps?: string[] | undefined;
  /** The step that the reply may begin where it judges the present one as done (`context.forStep`). */
  nextStep?: NextStep | undefined;
  /** Which signs of the page speak against a step; all do by default. */
  outcomes?: OutcomePolicy | undefined;
  /** By default the time of the call. */
  now?: Date | undefined;
}

/** The step that a reply may begin in the call that judges the one before it. */
export interface NextStep {
  stepIndex: number;
  instruction: string;
}

/** An earlier iteration of this step: the reply, and the outcome of each of its commands. */
export interface PastIteration {
  turn?: number | undefined;
  decision: AIResponse['decision'];
  reasoning: AIResponse['reasoning'];
  commands: AIGeneratedCommand[];
  context?: Record<string, unknown> | undefined;
  outcomes: PastCommand[];
}

/** The outcome of one command of an earlier reply of this step. */
export interface PastCommand {
  action: BrowserAction;
  parameters: BrowserParameters;
  /** What distinguishes its element from others of its role and name: the words of its row, card or group. */
  within?: string | undefined;
  /** `skipped`: not run, because an earlier command of the reply failed or the batch was stopped. */
  status: 'done' | 'failed' | 'unknown' | 'skipped';
  error?: { code: string; message: string } | undefined;
  evidence?: CommandEvidence | undefined;
  /** What a SAVE_VARIABLE read that needed no browser, because the snapshot had it. */
  savedVariable?: { name: string; value: string } | undefined;
  /**
   * Who has since said whether an `unknown` command happened. A person's word is final: a command that happened is not
   * repeated, one that did not happen is still to be done.
   */
  resolution?: Pick<Resolution, 'by' | 'happened'> | undefined;
  /** A `skipped` command that was done or failed before on a page with the same content. */
  isRepeat?: boolean | undefined;
}

/** The result of an investigation, or of its phases so far. */
export interface InvestigationResult {
  summaries: string[];
  elements: DiscoveredElement[];
}

/**
 * A decision. `reply` is unchecked and goes through AIResponseSchema. About a commit of unknown outcome it may say
 * `context.unknownOutcome`: `happened`, or `cannot-know`, which requires human input. `context.investigate` asks for an
 * investigation before the next call.
 */
export interface DecisionResult {
  reply: unknown;
  usage: ModelUsage;
  /** The model that answered: `vendor/model`, or `rules`. */
  model: string;
  /** Characters of each part of the prompt. */
  promptSizes?: Record<string, number>;
  /** What was replaced in a reply that did not fit (S1.A26, lenient: TL003), or left out of a request that was too long (AI005). */
  warnings?: { code: 'TL003' | 'AI005'; message: string }[];
}

/** What a model has read before, and why it is not done. */
export interface RefusedReading {
  step: string;
  /** What it does, such as `leaves out: Coffee`. */
  why: string;
}

/** A step in the words of `rules`; undefined where the model could not say it so. */
export interface StepReading extends Pick<DecisionResult, 'usage' | 'model' | 'promptSizes'> {
  step: string | undefined;
}

/** One phase of an investigation. */
export interface AssessmentRequest extends DecisionRequest {
  phase: InvestigationPhase;
  /** What is to be found; absent when only the step says it. */
  wanted?: string | undefined;
  /** The findings of this phase and those before it. */
  findings: ToolFinding[];
  /** The elements proposed so far. */
  candidates: DiscoveredElement[];
}

/** `judgement` is unchecked and goes through PhaseJudgementSchema. */
export type Assessment = Omit<DecisionResult, 'reply' | 'warnings'> & { judgement: unknown };

/** One turn of a task. */
export interface TurnRequest {
  system: string;
  messages: PromptMessage[];
  tools: FunctionTool[];
  /** The size of the view, where the model acts by its vendor's computer-use tool. */
  view?: View | undefined;
  /** The task in the caller's words. */
  task: string;
  /** The address that the task begins at. */
  url?: string | undefined;
  stepIndex: number;
  /** From 0. */
  turn: number;
  maxSteps: number;
  /** The most recent snapshot of the session's own browser. */
  snapshot: PageSnapshot;
  variables: string[];
  /** The last read_page text of a remote browser; absent where the session has a browser of its own. */
  remotePageText?: string | undefined;
  /** The earlier turns of this task, oldest first, for a model that reads no messages. */
  pastTurns: PastTurn[];
  /** Which signs of the page speak against what was done; all do by default. */
  outcomes?: OutcomePolicy | undefined;
  /** What the page says against the claim that the task is done, as it is now. */
  contradiction?: string | undefined;
  /** How far the pages are read, where the task is to return a result; for a model that reads no messages. */
  extraction?: ExtractionFacts | undefined;
  /** For a model that says one deed at a time; absent where the task takes more than deeds on the page. */
  led?: LedTask | undefined;
  /** Why the end that the model has called for is not taken as one. */
  doubt?: string | undefined;
}

/** A task that is led one deed at a time. */
export interface LedTask {
  /** What it asks for, without the address that it begins at. */
  goal: string;
  /** What persons and the engine have said since it began, oldest first. */
  notes: string[];
  /** The model says it in the words of `rules` first. */
  isRead: boolean;
  /** Its turns before this one; none of another form than `deeds`. */
  turns: PastTurn[];
  nonce: string;
}

/** The pages that were read for the result of a task, and how far a list is followed. */
export interface ExtractionFacts {
  /** The task is nothing but to extract. */
  isStep: boolean;
  isRepair: boolean;
  /** In the order in which they were read. */
  pages: (Pick<ResultPart, 'url' | 'status' | 'next'> & { rows: number; hasLists: boolean })[];
  /** The last reading gave what the one before it gave. */
  isSameAsBefore: boolean;
  mostRows: number;
  mostPages: number;
}

export interface PastTurn {
  turn: number;
  raw: RawReply | undefined;
  /** Names of the called tools, in the order of `outcomes`. */
  calls: string[];
  outcomes: Pick<PastCommand, 'status' | 'error' | 'evidence' | 'resolution'>[];
}

export type TurnResult = Omit<Generation, 'usage'> & {
  usage: ModelUsage;
  /** The model says that it can't do the task: the task fails with the text. */
  isGivenUp?: true | undefined;
  /** `rules` could not read the task, and nothing was done: a model may lead it. */
  isUnread?: true | undefined;
  /** The model ends the task here. */
  isEnd?: true | undefined;
  /** What shows, by the model, that the task is done. */
  evidence?: string | undefined;
};

/** How a call is made. */
export interface CallOptions {
  signal: AbortSignal;
  ai: SessionConfig['ai'];
  validationMode: ValidationMode;
  /** Marks the lines around text from a page. No page can know it. */
  nonce: string;
  /** The operator's system prompt, in place of the default one. */
  system?: string;
  listener: CallListener;
}

export type TurnOptions = Pick<CallOptions, 'signal' | 'ai' | 'listener'>;

/** Follows the calls that one request takes. */
export interface CallListener {
  /**
   * Called before anything is sent, so that the call is billed even if this process dies. Throws when the call may not be
   * made because of the budget, the rate limit or the circuit breaker.
   */
  started(call: StartedCall): Promise<void>;
  delta(text: string): void;
  thought?(text: string): void;
  /** The text of this call is void: the call failed, or its reply did not fit. */
  discarded(): Promise<void>;
  ended(call: EndedCall): Promise<void>;
}

/** A call that is about to be made. */
export interface StartedCall {
  model: string;
  /** The input, estimated from its characters. */
  usage: ModelUsage;
  maxTokens: number;
  keyHash: string | undefined;
  limits?: Partial<ModelLimits> | undefined;
}

/** A call that has ended, successfully or not; its usage is paid either way. */
export interface EndedCall {
  model: string;
  /** `replied`, `aborted`, `failed`, or the kind of the ProviderError. */
  outcome: string;
  usage: ModelUsage;
  /** True where the vendor reported no usage, so that it was estimated from the characters sent and received. */
  isEstimated: boolean;
  durationMs: number;
}
