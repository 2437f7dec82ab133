import type { ToolCallRequest, ToolCallResponse } from '../../contracts/agent-events';
import type { ContentPart } from '../../contracts/chat';
import type { IToolCallRequestInfo, IToolCallResponseInfo } from '../../contracts/tool-calls';
import type { ToolResult } from '../../contracts/tools';

/** S2.A15: provider-neutral; the text goes back to the model as the function's response, pictures and the like beside it. */
export function successResponse(request: IToolCallRequestInfo, result: ToolResult): IToolCallResponseInfo {
  const { llmContent, returnDisplay } = result;
  const parts = typeof llmContent === 'string' ? [] : llmContent.filter(({ type }) => type !== 'text');
  const output = typeof llmContent === 'string' ? llmContent : textOf(llmContent);
  return {
    callId: request.callId,
    responseParts: [functionResponse(request, { output }), ...parts],
    resultDisplay: returnDisplay,
  };
}

export function errorResponse(request: IToolCallRequestInfo, error: Error): IToolCallResponseInfo {
  return {
    callId: request.callId,
    responseParts: [functionResponse(request, { error: error.message })],
    resultDisplay: error.message,
    error,
  };
}

function functionResponse({ callId, functionId, name }: IToolCallRequestInfo, result: unknown): ContentPart {
  const id = functionId === undefined ? {} : { id: functionId };
  return {
    type: 'function_response',
    functionResponse: { ...id, call_id: callId, name, result: JSON.stringify(result) },
  };
}

export function textOf(parts: readonly ContentPart[]): string {
  return parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text ?? '')
    .join('\n');
}

/** S2.A6: the twins for transport, in which an error is its message. */
export function toToolCallRequest(request: IToolCallRequestInfo): ToolCallRequest {
  const { callId, name, args, isClientInitiated, promptId } = request;
  return { callId, name, args, isClientInitiated, promptId };
}

export function toToolCallResponse({
  callId,
  responseParts,
  resultDisplay,
  error,
}: IToolCallResponseInfo): ToolCallResponse {
  const display = typeof resultDisplay === 'object' ? resultDisplay.fileDiff : resultDisplay;
  return {
    callId,
    content: Array.isArray(responseParts) ? (responseParts as ContentPart[]) : [],
    ...(display === undefined ? {} : { display }),
    ...(error === undefined ? {} : { error: error.message }),
  };
}
