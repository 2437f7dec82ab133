import { VENDOR_NAMES, type VendorName } from './vendors';

/** The parts of `vendor/model`; `rules` stands alone and needs no credentials. */
export type ModelName = { vendor: 'rules' } | { vendor: VendorName; model: string };

/** Splits a setting that names several models, best first: when one fails for good, the next is called. */
export function modelChain(setting: string): string[] {
  return setting
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Undefined for a name of no known vendor. The model's own name may contain further slashes. */
export function parseModelName(name: string): ModelName | undefined {
  if (name === 'rules') return { vendor: 'rules' };
  const slash = name.indexOf('/');
  const vendor = VENDOR_NAMES.find((each) => each === name.slice(0, slash));
  const model = name.slice(slash + 1);
  return slash === -1 || vendor === undefined || model === '' ? undefined : { vendor, model };
}

/** Whether the model is served by a server that somebody runs beside the workers, and may restart. */
export function isOwnServer(name: string): boolean {
  return parseModelName(name)?.vendor === 'ai:openai-compatible';
}

/** Says why no model of a setting takes images, as the rest of a sentence; undefined when one may. */
export function imageProblem(setting: string): string | undefined {
  if (modelChain(setting).some((name) => name !== 'rules')) return undefined;
  return 'the built-in model rules takes no images; name a model that does (aiConfig.model), or say in words what they show';
}

/** Says what is wrong with a setting, as the rest of a sentence; undefined when it can be used. */
export function modelProblem(setting: string): string | undefined {
  const chain = modelChain(setting);
  if (chain.length === 0) return 'it names no model';
  const unknown = chain.find((name) => parseModelName(name) === undefined);
  if (unknown === undefined) return undefined;
  return `there is no model “${unknown}” here; there is: rules, ${VENDOR_NAMES.map((each) => `${each}/<model>`).join(', ')}`;
}
