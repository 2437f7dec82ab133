import type { ModelLimits } from '../models/model-limits';
import type { ModelTokens } from '../models/usage';
import type { View } from '../browsers/viewport';

/** A vendor's model: one streamed call. Throws a ProviderError, or the reason of the aborted signal. */
export interface LanguageModel {
  /** `vendor/model`. */
  name: string;
  /** The account that the vendor counts our calls under; without it only the session's budget limits calls. */
  keyHash?: string;
  /** The rate limits of its connection, where it has some of its own. */
  limits?: Partial<ModelLimits>;
  /** Its context window in tokens, where it is known. */
  contextWindow?: number;
  generate(request: GenerationRequest): Promise<Generation>;
}

export interface GenerationRequest {
  system: string;
  messages: PromptMessage[];
  /** The form of the answer: JSON of a schema, one call of these functions, text, or `tools`: text, calls, or both. */
  answer:
    | { kind: 'json'; schema: VendorSchema }
    | { kind: 'functions'; tools: FunctionTool[] }
    | { kind: 'text' }
    | {
        kind: 'tools';
        tools: FunctionTool[];
        /** The vendor's own computer-use tool is declared in place of ours, for a view of this size. */
        view?: View | undefined;
      };
  temperature: number;
  maxTokens: number;
  /** The longest that the call may take, from its request to the end of its answer. */
  timeoutMs: number;
  signal: AbortSignal;
  onDelta: (text: string) => void;
  /** Receives the model's thoughts, where the vendor streams them. */
  onThought?: ((text: string) => void) | undefined;
}

export interface Generation {
  text: string;
  thoughts: string;
  functionCalls: GeneratedCall[];
  /** `max_tokens` occurs with `tools` only; a truncated answer of another form is an error. */
  stopReason: 'end_turn' | 'tool_calls' | 'max_tokens';
  /** Present with `tools`. */
  raw?: RawReply | undefined;
  /** Undefined when the vendor reported none. */
  usage: ModelUsage | undefined;
  /** The vendor's name of the model that answered. */
  model: string;
}

export type ModelUsage = ModelTokens;

export type PromptPart = { kind: 'text'; text: string } | { kind: 'image'; mediaType: string; base64: string };

/** `results` answers every call of the `model` message before it; `parts` is a message beside the results. */
export type PromptMessage =
  | { role: 'user'; parts: PromptPart[] }
  | { role: 'model'; text: string; calls?: CalledFunction[]; raw?: RawReply | undefined }
  | { role: 'results'; results: ConversationResult[]; parts: PromptPart[] };

/** A function call as the model wrote it: `args` should be JSON and may be any text; `id` is the vendor's. */
export interface GeneratedCall {
  id?: string | undefined;
  name: string;
  args: string;
}

/** A call that a model requested; `callId` is ours, `functionId` the vendor's. */
export interface CalledFunction {
  callId: string;
  functionId?: string | undefined;
  name: string;
  /** JSON text as it was written, which may be no JSON at all. */
  args: string;
  /** The tool through which the model called this one. */
  via?: string | undefined;
}

export interface ConversationResult {
  call: CalledFunction;
  parts: PromptPart[];
  isError: boolean;
}

/**
 * The parts of a reply in the vendor's own format. They go back to that vendor unchanged, with what only it can read,
 * such as signatures of thoughts; other vendors get the text and the calls.
 */
export interface RawReply {
  form: 'gemini' | 'ai' | 'rules' | 'deeds';
  provider: string;
  parts: unknown[];
}

/** A function that the model may call. */
export interface FunctionTool {
  name: string;
  description: string;
  parameters: VendorSchema;
}

/** The part of JSON Schema that vendors accept; not all accept `anyOf` and `const` (portable-schema.ts). */
export interface VendorSchema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  const?: string;
  anyOf?: readonly VendorSchema[];
  properties?: Record<string, VendorSchema>;
  required?: readonly string[];
  items?: VendorSchema;
  minimum?: number;
  maximum?: number;
  additionalProperties?: boolean;
}
