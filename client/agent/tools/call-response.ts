import type { ContentPart } from '../../../contracts/tasks/chat';
import type { IToolCallRequestInfo, IToolCallResponseInfo } from '../../../contracts/tools/tool-call';
import type { ToolResult } from '../../../contracts/tools/tool';

/** S2.A15: the text of the result is the function response, and other parts, such as images, follow it. */
export function successResponse(request: IToolCallRequestInfo, result: ToolResult): IToolCallResponseInfo {
  const { llmContent, returnDisplay } = result;
  const parts = typeof llmContent === 'string' ? [] : llmContent.filter(({ type }) => type !== 'text');
  const output = typeof llmContent === 'string' ? llmContent : contentText(llmContent);
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

export function contentText(parts: readonly ContentPart[]): string {
  return parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text ?? '')
    .join('\n');
}
