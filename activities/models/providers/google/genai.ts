import type { GoogleGenAI } from '@google/genai';
import type { LanguageModel } from '../../port';
import { readGemini } from './reply';
import { toGeminiContents, toGeminiTools, toGenerationConfig } from './request';
import { googleErrorTranslator } from './errors';
import { googleAuthOptions, vertexSettings } from './settings';
import { overWire } from '../wire';

/** Gemini through @google/genai: by API key where one is set, else on Vertex AI. Loaded at the first call. */
export function createGenaiModel(name: string, model: string, env: NodeJS.ProcessEnv): LanguageModel {
  let client: Promise<GoogleGenAI> | undefined;
  return {
    name,
    async generate(request) {
      client ??= connect(name, env);
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
              // Temporal retries, so that the session's settings decide and every call is counted.
              automaticContinuation: false,
              automaticFunctionCalling: { disable: true },
            } as never,
          });
          return await readGemini(name, stream, request);
        },
        googleErrorTranslator(name),
      );
    },
  };
}

async function connect(name: string, env: NodeJS.ProcessEnv): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai');
  const apiKey = env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'];
  if (apiKey !== undefined && apiKey !== '') {
    const baseUrl = env['GEMINI_BASE_URL'];
    return new GoogleGenAI({ vertexai: false, apiKey, ...(baseUrl ? { httpOptions: { baseUrl } } : {}) });
  }
  const { project, location, endpoint, token } = vertexSettings(name, env);
  return new GoogleGenAI({
    vertexai: true,
    project,
    location,
    googleAuthOptions: googleAuthOptions(token),
    ...(endpoint === undefined ? {} : { httpOptions: { baseUrl: `https://${endpoint}` } }),
  });
}
