import type { ConversationResult, GenerationRequest, PromptMessage, PromptPart } from '../../port';
import { toGeminiSchema } from './schema';

interface Content {
  role: 'user' | 'model';
  parts: object[];
}

/** Google's word for a call that no signature of a thought belongs to: Gemini 3 refuses a conversation without. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** `model` is the vendor's own name of it. */
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
      ...calls.map(({ name, args }) => ({ functionCall: { name: callable(name), args: objectIn(args) } })),
    ];
    return { role: 'model', parts: signed(parts, model) };
  });
}

function toPart(part: PromptPart): object {
  return part.kind === 'text' ? { text: part.text } : { inlineData: { mimeType: part.mediaType, data: part.base64 } };
}

/** As many answers as there were calls, in one message and first in it; pictures behind them, each said whose it is. */
function resultParts(
  { results, parts }: { results: readonly ConversationResult[]; parts: readonly PromptPart[] },
  hasOwnIds: boolean,
): object[] {
  const answers = results.map(({ call: { functionId, name }, parts: told, isError }) => ({
    functionResponse: {
      ...(hasOwnIds && functionId !== undefined ? { id: functionId } : {}),
      name: hasOwnIds ? name : callable(name),
      response: { [isError ? 'error' : 'output']: textOf(told) },
    },
  }));
  const pictures = results.flatMap(({ call: { name }, parts: told }, index) =>
    picturesOf(told).flatMap((picture) => [{ text: `Picture of result ${index + 1} (${name}):` }, toPart(picture)]),
  );
  return [...answers, ...pictures, ...parts.map(toPart)];
}

export function textOf(parts: readonly PromptPart[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

export function picturesOf(parts: readonly PromptPart[]): PromptPart[] {
  return parts.filter(({ kind }) => kind === 'image');
}

/** Arguments of a call that went wrong may be no object: the vendor refuses a conversation with such a call. */
export function objectIn(args: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** A name that a model has made up may be none that a vendor takes: the whole conversation would be refused for it. */
export function callable(name: string): string {
  return /^[a-zA-Z_][\w-]{0,63}$/.test(name) ? name : `_${name.replaceAll(/[^\w-]/g, '_')}`.slice(0, 64);
}

function signed(parts: readonly object[], model: string): object[] {
  const first = parts.findIndex((part) => 'functionCall' in part);
  if (!/gemini-3/.test(model) || first === -1 || 'thoughtSignature' in parts[first]!) return [...parts];
  return parts.map((part, index) => (index === first ? { ...part, thoughtSignature: NO_SIGNATURE } : part));
}

/** Models that think, and tell their thoughts where they are asked to. */
const THINKS = /gemini-(?:2\.5|[3-9])/;

/** Thoughts are asked for in tasks, where people see them go by. */
export function thinkingOf({ answer }: GenerationRequest, model: string): { thinkingConfig?: object } {
  return answer.kind === 'tools' && THINKS.test(model) ? { thinkingConfig: { includeThoughts: true } } : {};
}

/** What both SDKs call `generationConfig`. */
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
    // An object without members is none to Gemini; a function without arguments has no parameters.
    ...('properties' in toGeminiSchema(parameters) ? { parameters: toGeminiSchema(parameters) } : {}),
  }));
  const mode = answer.kind === 'functions' ? 'ANY' : 'AUTO';
  return { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig: { mode } } };
}
