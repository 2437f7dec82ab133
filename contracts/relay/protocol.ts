import { z } from 'zod';
import { BrowserToolResultSchema } from '../tasks/agent-loop';
import { ToolInputSchema } from '../tools/tool-input';
import { issuesOf, issuesText } from '../errors/issues';
import { isTooDeep, TOO_DEEP } from '../json-depth';

/** The relay's protocol: JSON texts over one WebSocket, between the API and a person's own browser (docs/relay.md). */
export const RELAY_PATH = '/v1/relay';
export const RELAY_PROTOCOL = 1;
/** For both sides. A larger frame closes the connection. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;
/** After so many heartbeats without a message a client counts as gone. */
export const MISSED_HEARTBEATS = 2;

/** Why the API closes a connection, and whether the client should come back. */
export const RELAY_CLOSES = {
  replaced: { code: 1000, reason: 'replaced', comesBack: false },
  ending: { code: 1001, reason: 'the API ends; come back', comesBack: true },
  'too-large': { code: 1009, reason: 'a frame was too large', comesBack: true },
  unusable: { code: 4400, reason: 'too many messages that are not of the protocol', comesBack: true },
  unauthorised: { code: 4401, reason: 'not a session token that holds', comesBack: false },
  revoked: { code: 4403, reason: 'revoked', comesBack: false },
  silent: { code: 4408, reason: 'no message in time', comesBack: true },
  crowded: { code: 4429, reason: 'too many connections', comesBack: true },
} as const;
export type RelayClose = keyof typeof RELAY_CLOSES;

const RequestIdSchema = z.string().min(1).max(400);

/** First message of a client. The API accepts no other before it has answered. */
const RegisterSchema = z.object({
  type: z.literal('register'),
  sessionToken: z.string().max(200),
  /**
   * Names the memory in which the client keeps what it has begun and answered: a new one after it forgot. By it the API
   * knows whether "I do not know this call" means that it never ran.
   */
  memoryId: z.string().min(1).max(100),
  /** Name and version, for people. */
  client: z.string().max(100).optional(),
});
const ToolResultSchema = z.object({
  type: z.literal('tool_result'),
  requestId: RequestIdSchema,
  result: BrowserToolResultSchema,
});
/** Answers to `ask_result`: the tool is still at work; or its memory has no such call. */
const RunningSchema = z.object({ type: z.literal('running'), requestId: RequestIdSchema });
const UnknownRequestSchema = z.object({ type: z.literal('unknown_request'), requestId: RequestIdSchema });
const PingSchema = z.object({ type: z.literal('ping') });
const PongSchema = z.object({ type: z.literal('pong') });

const CLIENT_MESSAGES = [
  RegisterSchema,
  ToolResultSchema,
  RunningSchema,
  UnknownRequestSchema,
  PingSchema,
  PongSchema,
] as const;
export const ClientMessageSchema = z.discriminatedUnion('type', CLIENT_MESSAGES);
export type ClientMessage = z.infer<typeof ClientMessageSchema>;
export type RegisterMessage = z.infer<typeof RegisterSchema>;
const CLIENT_TYPES: string[] = CLIENT_MESSAGES.map(({ shape }) => shape.type.value);

const RegisteredSchema = z.object({
  type: z.literal('registered'),
  protocol: z.number(),
  browserSessionId: z.string(),
  /** Counts the connections of this browser session. */
  epoch: z.number(),
  heartbeatMs: z.number(),
  maxFrameBytes: z.number(),
});
/** Run this once. The same `requestId` again is the same call: answer it from memory. */
const ExecuteToolSchema = z.object({
  type: z.literal('execute_tool'),
  requestId: RequestIdSchema,
  sessionId: z.string(),
  tool: z.string(),
  input: ToolInputSchema,
  timeoutMs: z.number(),
});
/** A connection was lost with this call under way: answer it, or say `running` or `unknown_request`. Run nothing for it. */
const AskResultSchema = z.object({ type: z.literal('ask_result'), requestId: RequestIdSchema });
/** The answer is kept (or of no use any more): the client may forget it, and only then. */
const ResultKeptSchema = z.object({ type: z.literal('result_kept'), requestId: RequestIdSchema });
const ErrorSchema = z.object({
  type: z.literal('error'),
  code: z.enum(['bad-message', 'unknown-type', 'not-registered', 'unauthorised', 'unknown-request']),
  message: z.string(),
  requestId: RequestIdSchema.optional(),
});
/** Before the close of the same name. */
const ReplacedSchema = z.object({ type: z.literal('replaced'), message: z.string() });
const RevokedSchema = z.object({ type: z.literal('revoked'), message: z.string() });

export const ServerMessageSchema = z.discriminatedUnion('type', [
  RegisteredSchema,
  ExecuteToolSchema,
  AskResultSchema,
  ResultKeptSchema,
  ErrorSchema,
  ReplacedSchema,
  RevokedSchema,
  PingSchema,
  PongSchema,
]);
export type ServerMessage = z.infer<typeof ServerMessageSchema>;
export type RelayError = z.infer<typeof ErrorSchema>;

export type ParsedFrame = { kind: 'message'; message: ClientMessage } | { kind: 'unusable'; error: RelayError };

/** Parses a frame of a client; an invalid one becomes an error message for it and never throws. */
export function parseClientFrame(text: string): ParsedFrame {
  if (isTooDeep(text)) return unusable('bad-message', `The message ${TOO_DEEP}.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unusable('bad-message', 'Expected a JSON text, got something else.');
  }
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  if (typeof type !== 'string' || !CLIENT_TYPES.includes(type)) {
    const got = typeof type === 'string' ? `“${type.slice(0, 40)}”` : 'none';
    return unusable('unknown-type', `Expected a message of type ${CLIENT_TYPES.join(', ')}, got ${got}.`);
  }
  const parsed = ClientMessageSchema.safeParse(value);
  if (parsed.success) return { kind: 'message', message: parsed.data };
  const issues = issuesText(issuesOf(parsed.error));
  return unusable('bad-message', `The message ${type} is not valid: ${issues.slice(0, 400)}`);
}

function unusable(code: RelayError['code'], message: string): ParsedFrame {
  return { kind: 'unusable', error: { type: 'error', code, message } };
}
