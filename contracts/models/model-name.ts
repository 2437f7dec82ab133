/** What may stand before the slash of a model's name; `rules` stands alone and needs no credentials. */
export const MODEL_PROVIDERS = [
  'vertexai',
  'genai',
  'ai:google-vertex',
  'ai:google',
  'ai:openai',
  'ai:anthropic',
  'ai:openai-compatible',
] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

export type ModelName = { provider: 'rules' } | { provider: ModelProvider; model: string };

/** A setting may name several models, best first: the next is asked when one fails for good. */
export function modelChain(setting: string): string[] {
  return setting
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Undefined for a name that no provider here stands behind. The model's own name may have further slashes. */
export function parseModelName(name: string): ModelName | undefined {
  if (name === 'rules') return { provider: 'rules' };
  const slash = name.indexOf('/');
  const provider = MODEL_PROVIDERS.find((each) => each === name.slice(0, slash));
  const model = name.slice(slash + 1);
  return slash === -1 || provider === undefined || model === '' ? undefined : { provider, model };
}

/** What is wrong with a setting, as the rest of a sentence; undefined when it can be followed. */
export function modelProblem(setting: string): string | undefined {
  const chain = modelChain(setting);
  if (chain.length === 0) return 'it names no model';
  const unknown = chain.find((name) => parseModelName(name) === undefined);
  if (unknown === undefined) return undefined;
  return `there is no model “${unknown}” here; there is: rules, ${MODEL_PROVIDERS.map((each) => `${each}/<model>`).join(', ')}`;
}
