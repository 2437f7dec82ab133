import type { ModelCheck } from '../../../../contracts/models/model-check';
import { parseModelName } from '../../../../contracts/models/model-name';
import { accountOf } from '../../../../contracts/models/vendors';
import { TOO_SHORT } from './check-window';
import type { Trial } from './trial';

/** What a model that fails a trial can't take as a whole. */
const WEAKNESSES: Record<string, string> = {
  Model: 'it keeps to no schema',
  'Tool call': 'it does not call tools as it is asked',
  'Context window': 'its window is short',
  Speed: 'it is slow',
};

/** Proposes the profile of a model by what the trials have shown, with the connection that says it. */
export function proposeProfile(
  checks: readonly ModelCheck[],
  { model, env }: Pick<Trial, 'model' | 'env'>,
): ModelCheck {
  const name = 'Profile';
  const weak = checks.flatMap(({ name: of, health, message }) =>
    health === 'good' || (of === 'Context window' && !message.includes(TOO_SHORT)) ? [] : (WEAKNESSES[of] ?? []),
  );
  if (weak.length === 0) return { name, health: 'good', message: `full is right for ${model}` };
  return {
    name,
    health: 'good',
    message: `small is right for ${model} (${weak.join(', ')}): set SUREFOOT_MODEL_PROFILE=small, or SUREFOOT_CONNECTIONS='${connectionOf(model, env)}'`,
  };
}

function connectionOf(model: string, env: NodeJS.ProcessEnv): string {
  const parsed = parseModelName(model);
  if (parsed === undefined || parsed.vendor === 'rules') return '{}';
  const { values } = accountOf(parsed.vendor, env);
  const { baseURL } = values as { baseURL?: string };
  const own = baseURL === undefined ? {} : { baseURL };
  return JSON.stringify({ small: { vendor: parsed.vendor, model: parsed.model, ...own, profile: 'small' } });
}
