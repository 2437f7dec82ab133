import type { StreamTextResult, ToolSet } from 'ai';
import type { JsonSchema, LanguageModel } from '../../port';
import { thinkingOf } from '../google/request';
import { overWire } from '../wire';
import { aiErrorTranslator } from './errors';
import { toMessages, withCacheMark } from './messages';
import { readAi } from './reply';
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
          if (answer.kind === 'functions' || answer.kind === 'tools')
            for (const { name: tool, description, parameters } of answer.tools)
              tools[tool] = { description, inputSchema: toSchema(parameters) };
          const isConversation = answer.kind === 'tools';
          const messages = toMessages(request.messages, vendor);
          const result = streamText({
            model: await connectVendor(vendor, { name, model, env, fetch: wire.fetch }),
            instructions: request.system,
            messages: isConversation && vendor === 'ai:anthropic' ? withCacheMark(messages) : messages,
            ...(answer.kind === 'json' ? { output: Output.object({ schema: toSchema(answer.schema) }) } : {}),
            ...(answer.kind === 'functions' ? { tools, toolChoice: 'required' as const } : {}),
            ...(isConversation ? { tools, toolChoice: 'auto' as const } : {}),
            temperature: request.temperature,
            maxOutputTokens: request.maxTokens,
            abortSignal: wire.signal,
            // Temporal retries, so that the session's settings decide and every call is counted.
            maxRetries: 0,
            // A schema with optional members is no strict one in OpenAI's sense.
            providerOptions: {
              openai: { strictJsonSchema: false },
              openaiCompatible: { strictJsonSchema: false },
              ...(vendor === 'ai:google' || vendor === 'ai:google-vertex'
                ? { google: { ...thinkingOf(request, model) } as Record<string, never> }
                : {}),
            },
            onError: () => {},
          });
          return await readAi(name, vendor, result as unknown as StreamTextResult<ToolSet, never, never>, request);
        },
        aiErrorTranslator(name, vendor),
      );
    },
  };
}
