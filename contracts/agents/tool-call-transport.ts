import type { ToolCallRequest, ToolCallResponse } from './agent-event';
import { ContentPartSchema, type ContentPart } from '../tasks/chat';
import type { IToolCallRequestInfo, IToolCallResponseInfo } from '../tools/tool-call';

/** The lightweight pair of S2.13 and S2.14 for transport, made of the pair that the scheduler works with (S2.A6). */
export function toToolCallRequest({ functionId: _own, ...request }: IToolCallRequestInfo): ToolCallRequest {
  return { ...request, args: { ...request.args } };
}

export function toToolCallResponse({
  callId,
  responseParts,
  resultDisplay,
  error,
}: IToolCallResponseInfo): ToolCallResponse {
  return {
    callId,
    content: toContent(responseParts),
    ...(resultDisplay === undefined
      ? {}
      : { display: typeof resultDisplay === 'string' ? resultDisplay : resultDisplay.fileDiff }),
    ...(error === undefined ? {} : { error: error.message }),
  };
}

/** Restores the response on the other side of a transport. */
export function toToolCallResponseInfo({ callId, content, display, error }: ToolCallResponse): IToolCallResponseInfo {
  return {
    callId,
    responseParts: content,
    ...(display === undefined ? {} : { resultDisplay: display }),
    ...(error === undefined ? {} : { error: new Error(error) }),
  };
}

/** `responseParts` is unknown by contract; anything but a list of parts becomes text. */
function toContent(parts: unknown): ContentPart[] {
  const read = ContentPartSchema.array().safeParse(parts);
  if (read.success) return read.data;
  return [{ type: 'text', text: typeof parts === 'string' ? parts : (JSON.stringify(parts) ?? '') }];
}
