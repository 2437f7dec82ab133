import { z } from 'zod';

/** The types of the chat layer that S2 uses (S2.R2, S2.X). */

/** A call as the model gives it; `args` is JSON text. `call_id` (`call_`) pairs it with its response, `id` (`fc_`) is the provider's own. */
const FunctionCallSchema = z.object({
  id: z.string().optional(),
  call_id: z.string(),
  name: z.string(),
  args: z.string(),
});

/** S2.X ContentPart; `data` is base64. */
export const ContentPartSchema = z.object({
  type: z.enum(['text', 'thinking', 'image', 'audio', 'video', 'file', 'function_call', 'function_response']),
  text: z.string().optional(),
  text_delta: z.string().optional(),
  thinking: z.string().optional(),
  thinking_delta: z.string().optional(),
  data: z.string().optional(),
  mimeType: z.string().optional(),
  functionCall: FunctionCallSchema.optional(),
  functionResponse: z
    .object({ id: z.string().optional(), call_id: z.string(), name: z.string(), result: z.string() })
    .optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type ContentPart = z.infer<typeof ContentPartSchema>;

/** S2.X MessageItem: one part per message. */
export const MessageItemSchema = z.object({
  role: z.enum(['user', 'assistant']),
  content: ContentPartSchema,
  turnIdx: z.number().optional(),
  metadata: z
    .object({
      sessionId: z.string().optional(),
      timestamp: z.number().optional(),
      turn: z.number().optional(),
      responseId: z.string().optional(),
    })
    .optional(),
});
export type MessageItem = z.infer<typeof MessageItemSchema>;

/** S2.X FunctionCallStr. */
export interface FunctionCallStr {
  id: string;
  call_id: string;
  name: string;
  args: string;
}

/** S2.X LLMStart. */
export interface LLMStart {
  id: string;
  type: 'response.start';
  model: string;
  tools?: ToolDeclaration[] | undefined;
}

/** S2.X LLMChunk: no agent event is made of it (S2.A4). */
export interface LLMChunk {
  type: 'response.chunk.added' | 'response.chunk.done';
  chunk_idx: number;
  chunk_id: string;
}

/** S2.X LLMChunkTextDelta. */
export interface LLMChunkTextDelta {
  type: 'response.chunk.text.delta';
  chunk_idx: number;
  content: ContentPart;
}

/** S2.X LLMChunkTextDone. */
export interface LLMChunkTextDone {
  type: 'response.chunk.text.done';
  chunk_idx: number;
  content: ContentPart;
}

/** S2.X LLMChunkThinking. */
export interface LLMChunkThinking {
  type: 'response.chunk.thinking.delta' | 'response.chunk.thinking.done';
  thinking: string;
  chunk_idx: number;
  content: ContentPart;
}

/** S2.X LLMFunctionCallDelta. */
export interface LLMFunctionCallDelta {
  type: 'response.chunk.function_call.delta';
  content: ContentPart;
}

/** S2.X LLMFunctionCallDone. */
export interface LLMFunctionCallDone {
  type: 'response.chunk.function_call.done';
  content: ContentPart;
}

/** S2.X ChunkItem. */
export type ChunkItem =
  LLMChunkTextDelta | LLMChunkTextDone | LLMChunkThinking | LLMFunctionCallDelta | LLMFunctionCallDone;

/** S2.X: the tokens of one call, a member of LLMComplete. */
export interface LLMUsage {
  inputTokens: number;
  inputTokenDetails: { cachedTokens: number };
  outputTokens: number;
  outputTokenDetails: { reasoningTokens: number };
  totalTokens: number;
}

/** S2.X LLMComplete. */
export interface LLMComplete {
  response_id: string;
  type: 'response.complete' | 'response.incomplete' | 'response.failed';
  model: string;
  chunks: ChunkItem[];
  usage?: LLMUsage | undefined;
  previous_response_id: string;
  incomplete_details?: { reason: string } | undefined;
  error?: { code?: string | undefined; message?: string | undefined } | undefined;
}

/** S2.X LLMResponse. */
export type LLMResponse = LLMStart | LLMChunk | ChunkItem | LLMComplete;

/** S2.X ToolDeclaration: `parameters` is a JSON schema. */
export interface ToolDeclaration {
  name: string;
  description: string;
  parameters?: Record<string, unknown> | undefined;
}

/** S2.X IChatConfig; `tokenLimit` in tokens. */
export interface IChatConfig {
  apiKey: string;
  modelName: string;
  tokenLimit: number;
  systemPrompt?: string | undefined;
  toolDeclarations?: ToolDeclaration[] | undefined;
  initialHistory?: MessageItem[] | undefined;
  parallelToolCalls?: boolean | undefined;
}

/** S2.X ITokenUsage: counts in tokens, `usagePercentage` of `tokenLimit` from 0 to 100. */
export interface ITokenUsage {
  inputTokens: number;
  inputTokenDetails?: { cachedTokens: number } | undefined;
  outputTokens: number;
  outputTokenDetails?: { reasoningTokens: number } | undefined;
  totalTokens: number;
  cumulativeTokens: number;
  tokenLimit: number;
  usagePercentage: number;
  cacheHitRate?: number | undefined;
  tokenSavings?: number | undefined;
  totalCacheableRequests?: number | undefined;
  actualCacheHits?: number | undefined;
}

/** S2.X ITokenTracker: `threshold` is a share of the limit, 0.8 when left out. */
export interface ITokenTracker {
  updateUsage(usage: Partial<LLMUsage>): void;
  getUsage(): ITokenUsage;
  reset(): void;
  isApproachingLimit(threshold?: number): boolean;
}

/** S2.X IChat: one conversation with one provider. */
export interface IChat<T> {
  sendMessageStream(message: MessageItem | MessageItem[], promptId: string): Promise<AsyncGenerator<LLMResponse>>;
  convertToProviderMessage(message: MessageItem): T;
  convertFromChunkItems(chunk: ChunkItem, role: 'user' | 'assistant'): MessageItem;
  getHistory(curated?: boolean): MessageItem[];
  clearHistory(): void;
  addHistory(item: MessageItem): void;
  setHistory(items: MessageItem[]): void;
  setSystemPrompt(systemPrompt: string): void;
  getSystemPrompt(): string | undefined;
  getTokenUsage(): ITokenUsage;
  getTokenTracker(): ITokenTracker;
  isProcessing(): boolean;
  getModelInfo(): { model: string; tokenLimit: number };
  handleModelFallback(model: string): boolean;
}

/** S2.X LogLevel: numeric here; S1's strings are another enum (X.A2). */
export enum LogLevel {
  NONE = 0,
  ERROR = 1,
  WARN = 2,
  INFO = 3,
  DEBUG = 4,
}

/** S2.X ILogger. */
export interface ILogger {
  debug(message: string, context?: Record<string, unknown>): void;
  info(message: string, context?: Record<string, unknown>): void;
  warn(message: string, context?: Record<string, unknown>): void;
  error(message: string, context?: Record<string, unknown>): void;
  log(level: LogLevel, message: string, context?: Record<string, unknown>): void;
  setLevel(level: LogLevel): void;
  getLevel(): LogLevel;
  createChildLogger(context: Record<string, unknown>): ILogger;
}
