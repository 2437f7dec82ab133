import type { LanguageModel as AiModel, StreamTextResult, ToolSet } from 'ai';
import type { VendorName, VendorValues } from '../../../../contracts/models/vendors';
import type { GenerationRequest, JsonSchema } from '../../language-model';
import { thinkingOf } from '../google/request';
import type { Provider } from '../provider';
import { overWire } from '../wire';
import { errorTranslator, type AiProtocol } from './errors';
import { toMessages, withCacheMark } from './messages';
import { readAi } from './reply';

interface AiVendor<Vendor extends VendorName, Package> {
  protocol: AiProtocol;
  /** Loads the vendor's package. */
  load(): Promise<Package>;
  /** Makes a model of the package; all its requests go through `fetch`. */
  connect(
    sdk: Package,
    settings: VendorValues<Vendor>,
    call: { model: string; fetch: typeof globalThis.fetch },
  ): AiModel;
}

/** A vendor that the `ai` package serves. */
export function aiProvider<Vendor extends VendorName, Package>({
  protocol,
  load,
  connect,
}: AiVendor<Vendor, Package>): Provider<Vendor> {
  return {
    load: () => Promise.all([import('ai'), load()]),
    connect: ({ vendor, name, model, settings }) => {
      return async (request) => {
        const { streamText } = await import('ai');
        return await overWire(
          request,
          async ({ fetch, signal }) => {
            const messages = toMessages(request.messages, vendor);
            const isConversation = request.answer.kind === 'tools';
            const result = streamText({
              model: connect(await load(), settings(), { model, fetch }),
              instructions: request.system,
              messages: isConversation && protocol === 'anthropic' ? withCacheMark(messages) : messages,
              ...(await answerOptions(request)),
              temperature: request.temperature,
              maxOutputTokens: request.maxTokens,
              abortSignal: signal,
              // Temporal retries, so that the session's settings apply and every call is counted.
              maxRetries: 0,
              // A schema with optional members is not strict in OpenAI's sense.
              providerOptions: {
                openai: { strictJsonSchema: false },
                openaiCompatible: { strictJsonSchema: false },
                ...(protocol === 'google'
                  ? { google: { ...thinkingOf(request, model) } as Record<string, never> }
                  : {}),
              },
              onError: () => {},
            });
            return await readAi(name, vendor, result as unknown as StreamTextResult<ToolSet, never, never>, request);
          },
          errorTranslator(name, protocol),
        );
      };
    },
  };
}

/** The options by which the package asks for text, JSON of a schema, or calls of functions. */
async function answerOptions({ answer }: GenerationRequest) {
  const { jsonSchema, Output } = await import('ai');
  const toSchema = (schema: JsonSchema) => jsonSchema(schema as Parameters<typeof jsonSchema>[0]);
  if (answer.kind === 'text') return {};
  if (answer.kind === 'json') return { output: Output.object({ schema: toSchema(answer.schema) }) };
  const tools: ToolSet = Object.fromEntries(
    answer.tools.map(({ name, description, parameters }) => [name, { description, inputSchema: toSchema(parameters) }]),
  );
  return { tools, toolChoice: answer.kind === 'functions' ? ('required' as const) : ('auto' as const) };
}
