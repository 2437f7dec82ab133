import type { GoogleGenAI } from '@google/genai';
import type { VendorValues } from '../../../../../contracts/models/vendors';
import { toOwnCalls } from '../../computer-use/computer-calls';
import type { Provider } from '../provider';
import { overWire } from '../wire';
import { googleErrorTranslator } from './errors';
import { readGemini } from './reply';
import { toGeminiContents, toGeminiTools, toGenerationConfig } from './request';
import { googleAuthOptions, vertexEndpoint } from './vertex-options';

/** Gemini through @google/genai: with an API key where one is set, otherwise on Vertex AI. */
export const genaiProvider: Provider<'genai'> = {
  load: () => import('@google/genai'),
  connect({ name, model, settings }) {
    let client: Promise<GoogleGenAI> | undefined;
    return async (request) => {
      client ??= createClient(settings());
      const { models } = await client;
      return await overWire(
        request,
        async (wire) => {
          const stream = await models.generateContentStream({
            model,
            contents: toGeminiContents(request.messages, model),
            config: {
              systemInstruction: request.system,
              ...toGenerationConfig(request, model),
              ...toGeminiTools(request),
              abortSignal: wire.signal,
              httpOptions: { fetch: wire.fetch },
              // Temporal retries, so that the session's settings apply and every call is counted.
              automaticContinuation: false,
              automaticFunctionCalling: { disable: true },
            } as never,
          });
          const generation = await readGemini(name, stream, request);
          const view = request.answer.kind === 'tools' ? request.answer.view : undefined;
          return view === undefined ? generation : toOwnCalls(name, generation, 'google', view);
        },
        googleErrorTranslator(name),
      );
    };
  },
};

async function createClient(settings: VendorValues<'genai'>): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai');
  if ('apiKey' in settings) {
    const { apiKey, baseURL: baseUrl } = settings;
    return new GoogleGenAI({
      vertexai: false,
      apiKey,
      ...(baseUrl === undefined ? {} : { httpOptions: { baseUrl } }),
    });
  }
  const { project, location, token } = settings;
  const endpoint = vertexEndpoint(settings);
  return new GoogleGenAI({
    vertexai: true,
    project,
    location,
    googleAuthOptions: googleAuthOptions(token),
    ...(endpoint === undefined ? {} : { httpOptions: { baseUrl: `https://${endpoint}` } }),
  });
}
