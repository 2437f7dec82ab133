import { MAX_OUTPUT } from '../../../../contracts/commands/definitions/members';
import type { ContentPart } from '../../../../contracts/tasks/chat';
import type { ToolResult } from '../../../../contracts/tools/tool';
import type { ToolCallOutcome, ToolCallRow } from '../../../../store/journal/tool-calls';
import type { Store } from '../../../../store/store';
import type { SessionValues } from '../../../secrets/session-values';
import type { RunToolInput, ToolEnd } from '../../../signatures/task-activities';
import { summaryOf, toErrorText, truncateOutput } from '../../../recorded/result-text';
import { errorMessage } from '../../../../contracts/errors/error-message';

const LARGEST_PICTURE = 5 * 1024 * 1024;

/** Redacts and truncates the result of a tool; saves a picture as an artifact. */
export async function saveResult(
  store: Store,
  { sessionId, stepIndex }: RunToolInput,
  { callId, name }: ToolCallRow,
  values: SessionValues,
  result: ToolResult,
  durationMs: number,
): Promise<ToolCallOutcome> {
  const content: unknown = result?.llmContent;
  if (typeof content !== 'string' && !Array.isArray(content))
    return failed(`${name} gave no result: expected {llmContent, returnDisplay}, got ${typeof result}.`, durationMs);
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content as ContentPart[]);
  const text = truncateOutput(values.redact(head(parts.map((part) => part.text ?? '').join('\n'))));
  const picture = parts.find(({ type, data }) => type === 'image' && data !== undefined);
  const artifactId = picture === undefined ? undefined : `${callId}.picture`;
  if (artifactId !== undefined) {
    const bytes = Buffer.from(picture!.data!, 'base64');
    if (bytes.length > LARGEST_PICTURE) return done(`${text}\n[a picture of ${bytes.length} bytes is left out]`);
    await store.artifacts.save({
      sessionId,
      artifactId,
      kind: 'download',
      content: bytes,
      stepIndex,
      facts: { fileName: artifactId, mediaType: picture!.mimeType ?? 'image/png' },
    });
  }
  return { ...done(text), ...(artifactId === undefined ? {} : { artifactId }) };

  function done(output: string): ToolCallOutcome {
    const summary = typeof result.summary === 'string' ? values.redact(result.summary) : output;
    return { isError: false, text: output, summary: summaryOf(summary) || `${name} is done`, durationMs };
  }
}

/** Bounds a text before it is redacted: a secret that this cuts in two lies beyond what is stored. */
export function head(text: string): string {
  return text.length > 2 * MAX_OUTPUT ? text.slice(0, 2 * MAX_OUTPUT) : text;
}

export function toolErrorMessage(error: unknown): string {
  const message = errorMessage(error);
  return message === '' ? 'the tool failed and said nothing.' : message;
}

export function failed(message: string, durationMs = 0): ToolCallOutcome {
  const text = truncateOutput(toErrorText({ message }));
  return { isError: true, text, summary: summaryOf(text), durationMs };
}

export function unknownOutcome(message: string): ToolCallOutcome {
  return { ...failed(message), isUnknown: true };
}

export function endOf({ isError, summary, durationMs, code, isUnknown, isCancelled }: ToolCallOutcome): ToolEnd {
  return {
    status: isError ? 'error' : 'success',
    summary,
    durationMs,
    ...(code === undefined ? {} : { failure: { code, message: summary.replace(/^Error: /, '') } }),
    ...(isUnknown === true ? { isUnknown } : {}),
    ...(isCancelled === true ? { isCancelled } : {}),
  };
}
