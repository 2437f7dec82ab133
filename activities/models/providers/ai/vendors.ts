import type { LanguageModel as AiModel } from 'ai';
import type { ModelProvider } from '../../../../contracts/models/model-name';
import { googleAuthOptions, vertexSettings } from '../google/settings';
import { ProviderError } from '../provider-error';

export type AiVendor = Extract<ModelProvider, `ai:${string}`>;

interface Order {
  name: string;
  model: string;
  env: NodeJS.ProcessEnv;
  fetch: typeof globalThis.fetch;
}

/** A model of one vendor's package for the `ai` package, with its settings from the vendor's usual variables. */
export async function connectVendor(vendor: AiVendor, { name, model, env, fetch }: Order): Promise<AiModel> {
  const needed = (variable: string): string => {
    const value = env[variable];
    if (value !== undefined && value !== '') return value;
    throw new ProviderError('credentials', `${name} can't be asked: ${variable} is not set.`);
  };
  const at = (variable: string) => (env[variable] ? { baseURL: env[variable] } : {});
  switch (vendor) {
    case 'ai:openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey: needed('OPENAI_API_KEY'), ...at('OPENAI_BASE_URL'), fetch }).chat(model);
    }
    case 'ai:anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey: needed('ANTHROPIC_API_KEY'), ...at('ANTHROPIC_BASE_URL'), fetch })(model);
    }
    case 'ai:google': {
      const { createGoogle } = await import('@ai-sdk/google');
      const apiKey = env['GEMINI_API_KEY'] || needed('GOOGLE_GENERATIVE_AI_API_KEY');
      return createGoogle({ apiKey, ...at('GEMINI_BASE_URL'), fetch })(model);
    }
    case 'ai:google-vertex': {
      const { createGoogleVertex } = await import('@ai-sdk/google-vertex');
      const { project, location, endpoint, token } = vertexSettings(name, env);
      const path = `v1beta1/projects/${project}/locations/${location}/publishers/google`;
      return createGoogleVertex({
        project,
        location,
        googleAuthOptions: googleAuthOptions(token),
        ...(endpoint === undefined ? {} : { baseURL: `https://${endpoint}/${path}` }),
        fetch,
      })(model);
    }
    case 'ai:openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const baseURL = env['OPENAI_COMPATIBLE_BASE_URL'];
      if (baseURL === undefined || baseURL === '')
        throw new ProviderError(
          'settings',
          `${name} can't be asked: OPENAI_COMPATIBLE_BASE_URL is not set (Ollama's is http://127.0.0.1:11434/v1).`,
        );
      const apiKey = env['OPENAI_COMPATIBLE_API_KEY'];
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        ...(apiKey ? { apiKey } : {}),
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model);
    }
  }
}
