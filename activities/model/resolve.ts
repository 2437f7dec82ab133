import { EngineError } from '../failures';
import type { ModelResolver } from './decide';
import { createRulesModel } from './rules/model';

/** Finds a model by its name. */
export function createModelResolver(): ModelResolver {
  const rules = createRulesModel();
  return (name) => {
    if (name === 'rules') return rules;
    throw new EngineError('AI001', `There is no model “${name}” here; there is: rules.`, {
      suggestedAction:
        'Set the model of the session (config.aiConfig.model) or of the workers (SUREFOOT_MODEL) to rules.',
    });
  };
}
