import type { ConversationResult, GenerationRequest, PromptMessage, PromptPart } from '../../language-model';
import { argumentsObject, labelledImages, textOf, toFunctionName } from '../../prompt-parts';
import { toGeminiSchema } from './schema';

interface Content {
  role: 'user' | 'model';
  parts: object[];
}

/** Stands for the missing signature of a thought: Gemini 3 refuses a conversation with a call that has none. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Converts messages. Replies of Gemini go back to it unchanged, replies of others as text and calls. */
export function toGeminiContents(messages: readonly PromptMessage[], model: string): Content[] {
  let hasOwnIds = false;
  return messages.map((message): Content => {
    if (message.role === 'user') return { role: 'user', parts: message.parts.map(toPart) };
    if (message.role === 'results') return { role: 'user', parts: resultParts(message, hasOwnIds) };
    const { text, calls = [], raw } = message;
    hasOwnIds = raw?.form === 'gemini' && raw.parts.length > 0;
    if (raw !== undefined && hasOwnIds) return { role: 'model', parts: signed(raw.parts as object[], model) };
    const parts = [
      ...(text === '' && calls.length > 0 ? [] : [{ text }]),
      ...calls.map(({ name, args }) => ({ functionCall: { name: toFunctionName(name), args: argumentsObject(args) } })),
    ];
    return { role: 'model', parts: signed(parts, model) };
  });
}

function toPart(part: PromptPart): object {
  return part.kind === 'text' ? { text: part.text } : { inlineData: { mimeType: part.mediaType, data: part.base64 } };
}

/** The answers to all calls, first in one message; images of the results follow them. */
function resultParts(
  { results, parts }: { results: readonly ConversationResult[]; parts: readonly PromptPart[] },
  hasOwnIds: boolean,
): object[] {
  const answers = results.map(({ call: { functionId, name }, parts: content, isError }) => ({
    functionResponse: {
      ...(hasOwnIds && functionId !== undefined ? { id: functionId } : {}),
      name: hasOwnIds ? name : toFunctionName(name),
      response: { [isError ? 'error' : 'output']: textOf(content) },
    },
  }));
  return [...answers, ...[...labelledImages(results), ...parts].map(toPart)];
}

function signed(parts: readonly object[], model: string): object[] {
  const first = parts.findIndex((part) => 'functionCall' in part);
  if (!/gemini-3/.test(model) || first === -1 || 'thoughtSignature' in parts[first]!) return [...parts];
  return parts.map((part, index) => (index === first ? { ...part, thoughtSignature: NO_SIGNATURE } : part));
}

/** Models that stream their thoughts on request. */
const THINKS = /gemini-(?:2\.5|[3-9])/;

/** Requests thoughts in tasks, which publish them. */
export function thinkingOf({ answer }: GenerationRequest, model: string): { thinkingConfig?: object } {
  return answer.kind === 'tools' && THINKS.test(model) ? { thinkingConfig: { includeThoughts: true } } : {};
}

/** The `generationConfig` of both SDKs. */
export function toGenerationConfig(request: GenerationRequest, model: string): object {
  const { answer, temperature, maxTokens } = request;
  return {
    temperature,
    maxOutputTokens: maxTokens,
    ...(answer.kind === 'json'
      ? { responseMimeType: 'application/json', responseSchema: toGeminiSchema(answer.schema) }
      : {}),
    ...thinkingOf(request, model),
  };
}

export function toGeminiTools({ answer }: GenerationRequest): { tools: object[]; toolConfig: object } | undefined {
  if (answer.kind !== 'functions' && answer.kind !== 'tools') return undefined;
  if (answer.tools.length === 0) return undefined;
  const functionDeclarations = answer.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    // Gemini refuses an object without members, so a function without arguments has no parameters.
    ...('properties' in toGeminiSchema(parameters) ? { parameters: toGeminiSchema(parameters) } : {}),
  }));
  const mode = answer.kind === 'functions' ? 'ANY' : 'AUTO';
  return { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig: { mode } } };
}
