/* oxlint-disable typescript/no-explicit-any -- S0.2 says any for what a tool gives */
import type { BrowserToolResult } from '../../../contracts/tasks/agent-loop';

/** Temporal takes no payload above 2 MB; the difference is for the envelope. */
export const MAX_BYTES = 1_900_000;

/**
 * Cuts a result to what can be sent: the members of S0.2 only, first without the screenshot, then without the end of the
 * text. A note in the result says what was cut.
 */
export function truncateResult(given: BrowserToolResult, maxBytes = MAX_BYTES): BrowserToolResult {
  const whole = toPlainResult(given);
  if (bytesOf(whole) <= maxBytes) return whole;
  const { screenshot, ...text } = whole;
  if (screenshot !== undefined && bytesOf(text) <= maxBytes - NOTE_BYTES)
    return {
      ...text,
      output: appendNote(text.output, `[the picture of ${screenshot.data.length} characters is too big and left out]`),
    };
  const member = bytesOf(text.output) >= bytesOf(text.error) ? 'output' : 'error';
  const full = textOf(text[member]);
  const cut = truncateText(full, maxBytes - NOTE_BYTES);
  const note = `[cut: ${cut.length} of ${full.length} characters]`;
  return { success: text.success, [member]: `${cut}\n${note}` };
}

const NOTE_BYTES = 1000;

/** Converts what a caller's function returned to members that JSON can hold. */
function toPlainResult({ success, output, error, screenshot }: BrowserToolResult): BrowserToolResult {
  return {
    success,
    ...(output === undefined ? {} : { output: isJson(output) ? output : textOf(output) }),
    ...(error === undefined ? {} : { error: String(error) }),
    ...(screenshot === undefined ? {} : { screenshot: { data: screenshot.data, mediaType: screenshot.mediaType } }),
  };
}

function isJson(value: any): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function textOf(value: any): string {
  if (typeof value === 'string') return value;
  return isJson(value) ? JSON.stringify(value) : String(value);
}

function appendNote(output: any, note: string): string {
  const text = output === undefined ? '' : textOf(output);
  return text === '' ? note : `${text}\n${note}`;
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/** Cuts a text to bytes of JSON, in which one character may take six bytes. */
function truncateText(text: string, bytes: number): string {
  let cut = text.slice(0, bytes);
  while (bytesOf(cut) > bytes) cut = cut.slice(0, Math.floor(cut.length * 0.8));
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}
