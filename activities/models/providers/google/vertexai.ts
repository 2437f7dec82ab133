import type { GenerateContentRequest, VertexAI } from '@google-cloud/vertexai';
import type { LanguageModel } from '../../port';
import { readGemini, type GeminiChunk } from './reply';
import { toGeminiContents, toGeminiTools, toGenerationConfig } from './request';
import { googleErrorTranslator } from './errors';
import { googleAuthOptions, vertexSettings, type VertexSettings } from './settings';
import { overWire } from '../wire';
import { withFetch } from './fetch-per-call';

/** Gemini on Vertex AI through @google-cloud/vertexai, which is loaded at the first call. */
export function createVertexModel(name: string, model: string, env: NodeJS.ProcessEnv): LanguageModel {
  let client: Promise<VertexAI> | undefined;
  return {
    name,
    async generate(request) {
      client ??= connect(vertexSettings(name, env));
      const generative = (await client).getGenerativeModel({ model });
      // The SDK's types lag behind the API; what is sent is JSON either way.
      const content = {
        contents: toGeminiContents(request.messages, model),
        systemInstruction: request.system,
        generationConfig: toGenerationConfig(request, model),
        ...toGeminiTools(request),
      } as unknown as GenerateContentRequest;
      return await overWire(
        request,
        (wire) =>
          withFetch(wire.fetch, async () => {
            const { stream, response } = await generative.generateContentStream(content);
            // The SDK reads the stream a second time for this; what fails there fails in the stream as well.
            response.catch(() => {});
            return await readGemini(name, stream as AsyncIterable<GeminiChunk>, request);
          }),
        googleErrorTranslator(name),
      );
    },
  };
}

async function connect({ project, location, endpoint, token }: VertexSettings): Promise<VertexAI> {
  const { VertexAI } = await import('@google-cloud/vertexai');
  const { warn } = console;
  // Its constructor prints that it is deprecated, into the log of every worker; docs/models.md says so instead.
  console.warn = () => {};
  try {
    return new VertexAI({
      project,
      location,
      googleAuthOptions: googleAuthOptions(token),
      ...(endpoint === undefined ? {} : { apiEndpoint: endpoint }),
    });
  } finally {
    console.warn = warn;
  }
}
