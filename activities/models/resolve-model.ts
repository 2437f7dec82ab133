import { modelProblem, parseModelName, type ModelProvider } from '../../contracts/models/model-name';
import { EngineError } from '../failures';
import type { ModelResolver } from './steps/decide';
import { withCassette } from './cassettes/cassette';
import { keyHashOf } from './calls/key-hash';
import type { LanguageModel, Model } from './port';
import { createPromptedModel } from './prompted-model';
import { createAiModel } from './providers/ai/model';
import { createGenaiModel } from './providers/google/genai';
import { createVertexModel } from './providers/google/vertexai';
import type { ReplyForm } from './replies/reply-schema';
import { createRulesModel } from './rules/rules-model';

/** Finds a model by its name, and keeps it: a vendor's client remembers its token. */
export function createModelResolver(env: NodeJS.ProcessEnv = process.env): ModelResolver {
  const rules = createRulesModel();
  const form: ReplyForm = env['SUREFOOT_MODEL_REPLY'] === 'function' ? 'function' : 'json';
  const found = new Map<string, Model>();
  return (name) => {
    if (name === 'rules') return rules;
    const model = found.get(name) ?? createPromptedModel(createLanguageModel(name, env), form);
    found.set(name, model);
    return model;
  };
}

/** A vendor's model by its name. Settings and credentials are looked at when it is first asked. */
export function createLanguageModel(name: string, env: NodeJS.ProcessEnv): LanguageModel {
  const parsed = parseModelName(name);
  if (parsed === undefined || parsed.provider === 'rules') {
    throw new EngineError(
      'AI001',
      `A session can't be led by “${name}”: ${modelProblem(name) ?? 'it is no vendor’s'}.`,
      {
        suggestedAction: 'Correct config.aiConfig.model of the session, or SUREFOOT_MODEL of the workers.',
        isFinal: true,
      },
    );
  }
  const { provider, model } = parsed;
  return withCassette({ ...connect(name, provider, model, env), keyHash: keyHashOf(provider, env) }, env);
}

function connect(name: string, provider: ModelProvider, model: string, env: NodeJS.ProcessEnv): LanguageModel {
  if (provider === 'vertexai') return createVertexModel(name, model, env);
  if (provider === 'genai') return createGenaiModel(name, model, env);
  return createAiModel(name, provider, model, env);
}
