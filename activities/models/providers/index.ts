import type { VendorName } from '../../../contracts/models/vendors';
import { aiProvider } from './ai/provider';
import { genaiProvider } from './google/genai';
import { googleAuthOptions, vertexEndpoint } from './google/vertex-options';
import { vertexProvider } from './google/vertexai';
import type { Provider } from './provider';

/** The provider of each vendor in contracts/models/vendors.ts; a vendor without one does not compile. */
export const PROVIDERS: { [Vendor in VendorName]: Provider<Vendor> } = {
  vertexai: vertexProvider,
  genai: genaiProvider,
  'ai:google-vertex': aiProvider({
    protocol: 'google',
    load: () => import('@ai-sdk/google-vertex'),
    connect({ createGoogleVertex }, settings, { model, fetch }) {
      const { project, location, token } = settings;
      const endpoint = vertexEndpoint(settings);
      const path = `v1beta1/projects/${project}/locations/${location}/publishers/google`;
      return createGoogleVertex({
        project,
        location,
        googleAuthOptions: googleAuthOptions(token),
        ...(endpoint === undefined ? {} : { baseURL: `https://${endpoint}/${path}` }),
        fetch,
      })(model);
    },
  }),
  'ai:google': aiProvider({
    protocol: 'google',
    load: () => import('@ai-sdk/google'),
    connect: ({ createGoogle }, settings, { model, fetch }) => createGoogle({ ...settings, fetch })(model),
  }),
  'ai:openai': aiProvider({
    protocol: 'openai',
    load: () => import('@ai-sdk/openai'),
    connect: ({ createOpenAI }, settings, { model, fetch }) => createOpenAI({ ...settings, fetch }).chat(model),
  }),
  'ai:anthropic': aiProvider({
    protocol: 'anthropic',
    load: () => import('@ai-sdk/anthropic'),
    connect: ({ createAnthropic }, settings, { model, fetch }) => createAnthropic({ ...settings, fetch })(model),
  }),
  'ai:openai-compatible': aiProvider({
    protocol: 'openai',
    load: () => import('@ai-sdk/openai-compatible'),
    connect: ({ createOpenAICompatible }, settings, { model, fetch }) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        ...settings,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model),
  }),
};
