import type { BrowserToolResult } from '../tasks/agent-loop';

/** Characters of a tool's output that go through Temporal; the store has all of it. */
export const OUTPUT_LIMIT = 100_000;

/**
 * The result of a call for the workflow: S0.2 without the screenshot, which stays in the store, and with a long output cut.
 * The request id finds both in full.
 */
export interface RelayCallOutput extends Omit<BrowserToolResult, 'screenshot'> {
  requestId: string;
  screenshot?: { mediaType: string; bytes: number } | undefined;
  /** Whether it took effect is unknown: it must not be repeated before a look at the page. */
  isUnknown?: true | undefined;
}

/** The id of a call, unique across sessions: models number the calls of each session alike. */
export function relayRequestId(sessionId: string, callId: string): string {
  return `${sessionId}/${callId}`;
}

/**
 * The errors that the engine returns in place of the browser. Only calls that are safe to repeat get the words that S0.A7
 * treats as transient ("not connected", "timed out"), so a retry on them repeats nothing that may have happened.
 */
export const RELAY_FAILURES = {
  'never-sent': 'The browser is not connected, and this was not sent to it.',
  'lost-harmless': 'The browser is not connected any more; it went away before it answered.',
  'lost-unknown':
    'The browser went away while this was under way: whether it took effect is unknown. Look at the page before doing it again.',
  'late-harmless': 'The browser has timed out: no answer came in time.',
  'late-unknown':
    'No answer came in time: whether this took effect is unknown. Look at the page before doing it again.',
  'forgotten-unknown':
    'The browser came back and has forgotten this call: whether it took effect is unknown. Look at the page before doing it again.',
  'too-large':
    'The answer of the browser was larger than a frame may be and was refused. It did run: look at the page before doing it again.',
} as const;
export type RelayFailure = keyof typeof RELAY_FAILURES;

export interface CallSettlement {
  result: BrowserToolResult;
  isUnknown: boolean;
}

export function settleWith(sentence: RelayFailure): CallSettlement {
  return {
    result: { success: false, error: RELAY_FAILURES[sentence] },
    isUnknown: sentence.endsWith('-unknown') || sentence === 'too-large',
  };
}

const ERROR_LIMIT = 5000;
const CUT = '... [truncated]';

export function toRelayOutput(requestId: string, { result, isUnknown }: CallSettlement): RelayCallOutput {
  const { success, output, error, screenshot } = result;
  return {
    requestId,
    success,
    ...(output === undefined ? {} : { output: bounded(output) }),
    ...(error === undefined ? {} : { error: cut(error, ERROR_LIMIT) }),
    ...(screenshot === undefined ? {} : { screenshot: shownSize(screenshot) }),
    ...(isUnknown ? { isUnknown: true as const } : {}),
  };
}

function shownSize({ data, mediaType }: NonNullable<BrowserToolResult['screenshot']>) {
  return { mediaType: cut(mediaType, 100), bytes: Math.floor((data.length * 3) / 4) };
}

function bounded(output: unknown): unknown {
  if (typeof output === 'string') return cut(output, OUTPUT_LIMIT);
  const text = JSON.stringify(output) ?? '';
  return text.length <= OUTPUT_LIMIT ? output : cut(text, OUTPUT_LIMIT);
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}${CUT}`;
}
