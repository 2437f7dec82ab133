import type { GenerateContentRequest, VertexAI } from '@google-cloud/vertexai';
import type { VendorValues } from '../../../../../contracts/models/vendors';
import type { Provider } from '../provider';
import { overWire } from '../wire';
import { googleErrorTranslator } from './errors';
import { withFetch } from './fetch-per-call';
import { readGemini, type GeminiChunk } from './reply';
import { toGeminiContents, toGeminiTools, toGenerationConfig } from './request';
import { googleAuthOptions, vertexEndpoint } from './vertex-options';

/** Gemini on Vertex AI through @google-cloud/vertexai. */
export const vertexProvider: Provider<'vertexai'> = {
  load: () => import('@google-cloud/vertexai'),
  connect({ name, model, settings }) {
    let client: Promise<VertexAI> | undefined;
    return async (request) => {
      client ??= createClient(settings());
      const generative = (await client).getGenerativeModel({ model });
      // The SDK's types lag behind the API; both are JSON.
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
            // The SDK reads the stream a second time for `response`; its failures are those of the stream.
            response.catch(() => {});
            return await readGemini(name, stream as AsyncIterable<GeminiChunk>, request);
          }),
        googleErrorTranslator(name),
      );
    };
  },
};

async function createClient(settings: VendorValues<'vertexai'>): Promise<VertexAI> {
  const { VertexAI } = await import('@google-cloud/vertexai');
  const { project, location, token } = settings;
  const endpoint = vertexEndpoint(settings);
  const { warn } = console;
  // The constructor prints into every worker's log that it is deprecated; docs/models.md says so instead.
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
