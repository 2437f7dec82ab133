import { modelChain, parseModelName, type ModelProvider } from '../../../contracts/models/model-name';

const PACKAGES: Record<ModelProvider, () => Promise<unknown>> = {
  vertexai: () => import('@google-cloud/vertexai'),
  genai: () => import('@google/genai'),
  'ai:google-vertex': () => Promise.all([import('ai'), import('@ai-sdk/google-vertex')]),
  'ai:google': () => Promise.all([import('ai'), import('@ai-sdk/google')]),
  'ai:openai': () => Promise.all([import('ai'), import('@ai-sdk/openai')]),
  'ai:anthropic': () => Promise.all([import('ai'), import('@ai-sdk/anthropic')]),
  'ai:openai-compatible': () => Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]),
};

/**
 * Loads what the models of a setting need, before the first call does: loading takes the process up to a second in which
 * it answers nothing, and a call whose heart stands still that long is asked, and paid, a second time.
 */
export async function loadProviders(setting: string): Promise<void> {
  for (const name of modelChain(setting)) {
    const parsed = parseModelName(name);
    if (parsed !== undefined && parsed.provider !== 'rules') await PACKAGES[parsed.provider]();
  }
}
