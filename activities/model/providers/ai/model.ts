import type { ModelMessage, StreamTextResult, ToolSet } from 'ai';
import type { Generation, GenerationRequest, JsonSchema, LanguageModel, ModelUsage, PromptMessage } from '../../port';
import { ModelTrouble } from '../trouble';
import { overWire } from '../wire';
import { translateAi } from './errors';
import { connectVendor, type AiVendor } from './vendors';

/** Any vendor of the `ai` package. Package and vendor are loaded at the first call, so that no start pays for them. */
export function createAiModel(name: string, vendor: AiVendor, model: string, env: NodeJS.ProcessEnv): LanguageModel {
  return {
    name,
    async generate(request) {
      const { streamText, jsonSchema, Output } = await import('ai');
      const toSchema = (schema: JsonSchema) => jsonSchema(schema as Parameters<typeof jsonSchema>[0]);
      return await overWire(
        request,
        async (wire) => {
          const { answer } = request;
          const tools: ToolSet = {};
          if (answer.kind === 'functions')
            for (const { name: tool, description, parameters } of answer.tools)
              tools[tool] = { description, inputSchema: toSchema(parameters) };
          const result = streamText({
            model: await connectVendor(vendor, { name, model, env, fetch: wire.fetch }),
            instructions: request.system,
            messages: toMessages(request.messages),
            ...(answer.kind === 'json' ? { output: Output.object({ schema: toSchema(answer.schema) }) } : {}),
            ...(answer.kind === 'functions' ? { tools, toolChoice: 'required' as const } : {}),
            temperature: request.temperature,
            maxOutputTokens: request.maxTokens,
            abortSignal: wire.signal,
            // Temporal retries, so that the session's settings decide and every call is counted.
            maxRetries: 0,
            // A schema with optional members is no strict one in OpenAI's sense.
            providerOptions: { openai: { strictJsonSchema: false }, openaiCompatible: { strictJsonSchema: false } },
            onError: () => {},
          });
          return await read(name, result as unknown as StreamTextResult<ToolSet, never, never>, request);
        },
        translateAi(name, vendor),
      );
    },
  };
}

async function read(
  name: string,
  { fullStream }: Pick<StreamTextResult<ToolSet, never, never>, 'fullStream'>,
  { onDelta }: GenerationRequest,
): Promise<Generation> {
  let text = '';
  let model = name;
  const functionCalls: Generation['functionCalls'] = [];
  for await (const part of fullStream) {
    switch (part.type) {
      case 'text-delta':
        text += part.text;
        onDelta(part.text);
        break;
      case 'tool-call':
        functionCalls.push({ name: part.toolName, input: part.input });
        break;
      case 'finish-step':
        model = part.response.modelId;
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        const usage = usageOf(part.totalUsage);
        assertGood(name, part.finishReason, part.rawFinishReason, usage);
        if (text === '' && functionCalls.length === 0)
          throw new ModelTrouble('empty', `${name} answered with nothing at all.`, { usage });
        return { text, functionCalls, stopReason: functionCalls.length > 0 ? 'function-call' : 'stop', usage, model };
      }
      default:
    }
  }
  throw new ModelTrouble('cut', `The answer of ${name} broke off: its stream ended without a finish reason.`);
}

function usageOf(told: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails: { cacheReadTokens: number | undefined };
}): ModelUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails } = told;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens ?? 0 };
}

function assertGood(name: string, reason: string, raw: string | undefined, usage: ModelUsage | undefined): void {
  if (reason === 'stop' || reason === 'tool-calls') return;
  if (reason === 'length')
    throw new ModelTrouble('truncated', `The answer of ${name} was longer than maxTokens allows.`, { usage });
  const why = raw === undefined ? reason : `${reason}, ${raw}`;
  if (raw === 'RECITATION')
    throw new ModelTrouble('recitation', `${name} stopped because its answer recited a source.`, { usage });
  if (reason === 'content-filter')
    throw new ModelTrouble('blocked', `${name} stopped for its safety rules (${why}).`, { usage });
  // A stream that was cut ends so, without a reason of the vendor's.
  const kind = raw === undefined ? 'cut' : 'empty';
  throw new ModelTrouble(kind, `The answer of ${name} ended without a usable finish (${why}).`, { usage });
}

function toMessages(messages: readonly PromptMessage[]): ModelMessage[] {
  return messages.map((message): ModelMessage =>
    message.role === 'model'
      ? { role: 'assistant', content: message.text }
      : {
          role: 'user',
          content: message.parts.map((part) =>
            part.kind === 'text'
              ? { type: 'text', text: part.text }
              : { type: 'file', data: part.base64, mediaType: part.mediaType },
          ),
        },
  );
}
