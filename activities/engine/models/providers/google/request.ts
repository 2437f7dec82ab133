import { toVendorResults, type ComputerResult } from '../../computer-use/computer-calls';
import { EXCLUDED_GEMINI_FUNCTIONS, PICTURE_FUNCTION } from '../../computer-use/vendor-actions';
import type {
  ConversationResult,
  FunctionTool,
  GenerationRequest,
  PromptMessage,
  PromptPart,
} from '../../../../../contracts/model-port/language-model';
import { argumentsObject, labelledImages, promptText, toFunctionName } from '../../prompt-parts';
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
    if (raw !== undefined && hasOwnIds)
      return { role: 'model', parts: signed(withoutThoughts(raw.parts as object[]), model) };
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
  const answered = hasOwnIds ? toVendorResults(results) : results.map((result) => ({ kind: 'own', result }) as const);
  const answers = answered.map((each) => {
    if (each.kind === 'computer') return { functionResponse: computerResponse(each.result) };
    const { call, parts: content, isError } = each.result;
    const { functionId, name } = call;
    return {
      functionResponse: {
        ...(hasOwnIds && functionId !== undefined ? { id: functionId } : {}),
        name: hasOwnIds ? name : toFunctionName(name),
        response: { [isError ? 'error' : 'output']: promptText(content) },
      },
    };
  });
  const own = answered.flatMap((each) => (each.kind === 'own' ? [each.result] : []));
  return [...answers, ...[...labelledImages(own), ...parts].map(toPart)];
}

/** Computer use gets the picture within the response. */
function computerResponse({ id, name, text, image, isError }: ComputerResult): object {
  return {
    ...(id === undefined ? {} : { id }),
    name,
    response: { [isError ? 'error' : 'output']: text },
    ...(image === undefined ? {} : { parts: [{ inlineData: { mimeType: image.mediaType, data: image.base64 } }] }),
  };
}

/** Summaries of thoughts are billed as input and help no later turn; a part with a signature has to go back. */
function withoutThoughts(parts: readonly object[]): object[] {
  const kept = parts.filter((part) => !('thought' in part) || 'thoughtSignature' in part);
  return kept.length === 0 ? [...parts] : kept;
}

function signed(parts: readonly object[], model: string): object[] {
  const first = parts.findIndex((part) => 'functionCall' in part);
  if (!/gemini-3/.test(model) || first === -1 || 'thoughtSignature' in parts[first]!) return [...parts];
  return parts.map((part, index) => (index === first ? { ...part, thoughtSignature: NO_SIGNATURE } : part));
}

/** Models that stream their thoughts on request. */
const THINKS = /gemini-(?:2\.5|[3-9])/;

/** Requests thoughts in tasks, which publish them. */
function thinkingOf({ answer }: GenerationRequest, model: string): { thinkingConfig?: object } {
  return answer.kind === 'tools' && THINKS.test(model) ? { thinkingConfig: { includeThoughts: true } } : {};
}

/** The `generationConfig` of both SDKs. */
export function toGenerationConfig(request: GenerationRequest, model: string): object {
  const { answer, temperature, maxTokens } = request;
  return {
    temperature,
    maxOutputTokens: maxTokens,
    ...(answer.kind === 'json'
      ? { responseMimeType: 'application/json', responseSchema: toGeminiSchema(answer.schema, 'kept') }
      : {}),
    ...thinkingOf(request, model),
  };
}

const PICTURE: FunctionTool = {
  name: PICTURE_FUNCTION,
  description: 'A picture of the page as it is.',
  parameters: { type: 'object', properties: {} },
};

export function toGeminiTools({ answer }: GenerationRequest): { tools: object[]; toolConfig: object } | undefined {
  if (answer.kind !== 'functions' && answer.kind !== 'tools') return undefined;
  if (answer.tools.length === 0) return undefined;
  const view = answer.kind === 'tools' ? answer.view : undefined;
  const declared =
    view === undefined ? answer.tools : [...answer.tools.filter(({ name }) => name !== 'computer'), PICTURE];
  const functionDeclarations = declared.map(({ name, description, parameters }) => ({
    name,
    description,
    // Gemini refuses an object without members, so a function without arguments has no parameters.
    ...('properties' in toGeminiSchema(parameters) ? { parameters: toGeminiSchema(parameters) } : {}),
  }));
  const mode = answer.kind === 'functions' ? 'ANY' : 'AUTO';
  const computerUse = { environment: 'ENVIRONMENT_BROWSER', excludedPredefinedFunctions: EXCLUDED_GEMINI_FUNCTIONS };
  const own = view === undefined ? [] : [{ computerUse }];
  return { tools: [...own, { functionDeclarations }], toolConfig: { functionCallingConfig: { mode } } };
}
