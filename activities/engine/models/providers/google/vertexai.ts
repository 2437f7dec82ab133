import type { GenerateContentRequest, VertexAI } from '@google-cloud/vertexai';
import type { VendorValues } from '../../../../../contracts/models/vendors';
import type { Provider } from '../provider';
import { overWire } from '../wire';
import { googleErrorTranslator } from './errors';
import { fetchOfCall, loadVertexAI } from './load-vertexai';
import { readGemini, type GeminiChunk } from './reply';
import { toGeminiContents, toGeminiTools, toGenerationConfig } from './request';
import { googleAuthOptions, vertexEndpoint } from './vertex-options';

/** Gemini on Vertex AI through @google-cloud/vertexai. */
export const vertexProvider: Provider<'vertexai'> = {
  load: async () => loadVertexAI(),
  connect({ name, model, settings }) {
    let client: VertexAI | undefined;
    return async (request) => {
      client ??= createClient(settings());
      const generative = client.getGenerativeModel({ model });
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
          fetchOfCall.run(wire.fetch, async () => {
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

function createClient(settings: VendorValues<'vertexai'>): VertexAI {
  const { VertexAI } = loadVertexAI();
  const { project, location, token } = settings;
  const endpoint = vertexEndpoint(settings);
  return new VertexAI({
    project,
    location,
    googleAuthOptions: googleAuthOptions(token),
    ...(endpoint === undefined ? {} : { apiEndpoint: endpoint }),
  });
}
