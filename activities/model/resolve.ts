import { EngineError } from '../failures';
import type { ModelResolver } from './decide';
import { createRulesModel } from './rules/model';

/** Finds a model by its name. A session that names none runs with the worker's own (SUREFOOT_MODEL). */
export function createModelResolver(workerModel: string): ModelResolver {
  const rules = createRulesModel();
  return (name) => {
    const wanted = name === 'default' ? workerModel : name;
    if (wanted === 'rules') return rules;
    throw new EngineError('AI001', `There is no model “${wanted}” here; the models are: rules.`, {
      suggestedAction: 'Leave the model out, or name one of these.',
    });
  };
}
