import type { LanguageModel as AiModel, StreamTextResult, ToolSet } from 'ai';
import type { VendorName, VendorValues } from '../../../../../contracts/models/vendors';
import { toOwnCalls } from '../../computer-use/computer-calls';
import type { View } from '../../../../../contracts/browsers/viewport';
import type {
  GenerationRequest,
  VendorSchema,
  LanguageModel,
} from '../../../../../contracts/model-port/language-model';
import { toPortableSchema } from '../../portable-schema';
import type { Provider } from '../provider';
import { ProviderError } from '../provider-error';
import { overWire } from '../wire';
import { errorTranslator, type AiProtocol } from './errors';
import { toInstructions, toMessages, withCacheMark } from './messages';
import { readAi } from './reply';

interface AiVendor<Vendor extends VendorName, Package> {
  protocol: AiProtocol;
  /** True where the schema of an answer may have no choices (`anyOf`), because the servers differ. */
  takesFlatSchemas?: boolean;
  /** Loads the vendor's package. */
  load(): Promise<Package>;
  /** The vendor's own computer-use tool for a view of this size, where the package has one. */
  computerTool?(sdk: Package, view: View, model: string): ToolSet[string];
  /** Waits until the server can take a call. This is no part of the call's own time. */
  untilFree?(settings: VendorValues<Vendor>, request: Pick<GenerationRequest, 'signal' | 'timeoutMs'>): Promise<void>;
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
  takesFlatSchemas = false,
  load,
  connect,
  computerTool,
  untilFree,
}: AiVendor<Vendor, Package>): Provider<Vendor> {
  return {
    load: () => Promise.all([import('ai'), load()]),
    connect: ({ vendor, name, model, settings }) => {
      /** Undefined once OpenAI has refused it: only verified organizations get summaries of thoughts. */
      let reasoningSummary: 'auto' | undefined = 'auto';
      const generate: LanguageModel['generate'] = async (request) => {
        const { streamText } = await import('ai');
        await untilFree?.(settings(), request);
        return await overWire(
          request,
          async ({ fetch, signal }) => {
            const messages = toMessages(request.messages, vendor, protocol);
            const isConversation = request.answer.kind === 'tools';
            const sdk = await load();
            const view = request.answer.kind === 'tools' ? request.answer.view : undefined;
            const computer = view === undefined ? undefined : computerTool?.(sdk, view, model);
            const result = streamText({
              model: connect(sdk, settings(), { model, fetch }),
              instructions: toInstructions(request.system, protocol === 'anthropic'),
              messages: isConversation && protocol === 'anthropic' ? withCacheMark(messages) : messages,
              ...(await answerOptions(request, takesFlatSchemas, computer)),
              temperature: request.temperature,
              maxOutputTokens: request.maxTokens,
              abortSignal: signal,
              // Temporal retries, so that the session's settings apply and every call is counted.
              maxRetries: 0,
              // A schema with optional members is not strict in OpenAI's sense.
              providerOptions: {
                // Nothing of a session is kept there, so that a conversation goes on without what the vendor has stored.
                openai: {
                  strictJsonSchema: false,
                  store: false,
                  ...(isConversation && reasoningSummary !== undefined ? { reasoningSummary } : {}),
                },
                openaiCompatible: { strictJsonSchema: false },
              },
              onError: () => {},
            });
            const stream = result as unknown as StreamTextResult<ToolSet, never, never>;
            const generation = await readAi(name, vendor, stream, request);
            return view === undefined || computer === undefined
              ? generation
              : toOwnCalls(name, generation, protocol, view);
          },
          errorTranslator(name),
        );
      };
      return async (request) => {
        try {
          return await generate(request);
        } catch (error) {
          const isRefused =
            error instanceof ProviderError && /reasoning.summary|reasoning summaries/i.test(error.message);
          if (!isRefused || reasoningSummary === undefined) throw error;
          reasoningSummary = undefined;
          return await generate(request);
        }
      };
    },
  };
}

/** The options by which the package asks for text, JSON of a schema, or calls of functions. */
async function answerOptions({ answer }: GenerationRequest, isFlat: boolean, computer: ToolSet[string] | undefined) {
  const { jsonSchema, Output } = await import('ai');
  const toSchema = (schema: VendorSchema) =>
    jsonSchema((isFlat ? toPortableSchema(schema) : schema) as Parameters<typeof jsonSchema>[0]);
  if (answer.kind === 'text') return {};
  if (answer.kind === 'json') return { output: Output.object({ schema: toSchema(answer.schema) }) };
  const tools: ToolSet = Object.fromEntries(
    answer.tools.map(({ name, description, parameters }) => [name, { description, inputSchema: toSchema(parameters) }]),
  );
  // The vendor's tool takes the place of ours, which has its name.
  if (computer !== undefined) tools['computer'] = computer;
  return { tools, toolChoice: answer.kind === 'functions' ? ('required' as const) : ('auto' as const) };
}
