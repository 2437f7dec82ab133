/* oxlint-disable typescript/no-explicit-any -- S0.2 says any for what a tool gives */
import type { ToolResult } from '../../../contracts/tasks/agent-loop';

/** Temporal takes no value above 2 MB; the rest is for what stands around it. */
export const MAX_BYTES = 1_900_000;

/**
 * The result as it can be sent: S0.2's members only, and what is too big cut with a note that says so. First the picture
 * goes, then the end of the text.
 */
export function truncateResult(given: ToolResult, most = MAX_BYTES): ToolResult {
  const whole = toPlainResult(given);
  if (bytesOf(whole) <= most) return whole;
  const { screenshot, ...told } = whole;
  if (screenshot !== undefined && bytesOf(told) <= most - NOTE_BYTES)
    return {
      ...told,
      output: appendNote(told.output, `[the picture of ${screenshot.data.length} characters is too big and left out]`),
    };
  const member = bytesOf(told.output) >= bytesOf(told.error) ? 'output' : 'error';
  const text = textOf(told[member]);
  const cut = truncateText(text, most - NOTE_BYTES);
  const note = `[cut: ${cut.length} of ${text.length} characters]`;
  return { success: told.success, [member]: `${cut}\n${note}` };
}

const NOTE_BYTES = 1000;

/** What came out of a function of the caller's: anything, which may be nothing that JSON can hold. */
function toPlainResult({ success, output, error, screenshot }: ToolResult): ToolResult {
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

/** JSON may write one character as six bytes. */
function truncateText(text: string, bytes: number): string {
  let cut = text.slice(0, bytes);
  while (bytesOf(cut) > bytes) cut = cut.slice(0, Math.floor(cut.length * 0.8));
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}
