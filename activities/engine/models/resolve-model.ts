import {
  callerEnv,
  connectionEnv,
  keysOf,
  leadsTo,
  limitsOf,
  modelsOf,
  type CallerKey,
  type Connections,
} from '../../../contracts/sessions/model-connections';
import { DEFAULT_AI_CONNECTION } from '../../../contracts/sessions/config';
import { modelChain, modelProblem, parseModelName } from '../../../contracts/models/model-name';
import type { VendorName } from '../../../contracts/models/vendors';
import { EngineError } from '../../activity/failures';
import { redactError } from '../../secrets/redact-error';
import { Redactor } from '../../secrets/redaction';
import { contextWindowOf } from './calls/context-window';
import { withCassette } from './cassettes/cassette';
import type { LanguageModel } from '../../../contracts/model-port/language-model';
import type { Model, ModelResolver } from '../../../contracts/model-port/port';
import { createPromptedModel } from './prompted-model';
import { PROVIDERS } from './providers';
import { keyHashOf, readVendorValues } from './providers/account';
import { loadVendor } from './providers/load';
import type { ReplyForm } from './replies/reply-schema';
import { createRulesModel } from '../../../rules/rules-model';
import { modelIssues } from '../../../runtime/settings/floors/floor-issues';
import { SETTINGS } from '../../../runtime/settings/definitions';
import { FLOORS } from '../../../runtime/settings/floor-definitions';
import { readSetting } from '../../../runtime/settings/setting';

/** Finds a model by its name and connection, and keeps it: a vendor's client remembers its token. */
export function createModelResolver(env: NodeJS.ProcessEnv = process.env): ModelResolver {
  const rules = createRulesModel();
  const form: ReplyForm = readSetting(SETTINGS.modelReply, env);
  const connections = readSetting(SETTINGS.connections, env);
  const found = new Map<string, Model>();
  const allowed = readSetting(FLOORS.floors.models, env);
  const own = new Set(
    modelChain([readSetting(SETTINGS.model, env), ...Object.values(connections).map(modelsOf)].join()),
  );
  return ({ model: name, connectionId }, callerKey) => {
    if (!own.has(name)) assertAllowed(name, allowed);
    if (name === 'rules') return rules;
    const profile =
      connectionId === DEFAULT_AI_CONNECTION
        ? readSetting(SETTINGS.modelProfile, env)
        : connections[connectionId]?.profile;
    const create = (): Model =>
      createPromptedModel(connect({ name, connectionId, callerKey }, connections, env), form, profile);
    // A caller's key is in memory for its call alone.
    if (callerKey !== undefined) return create();
    const key = `${connectionId} ${name}`;
    const model = found.get(key) ?? create();
    found.set(key, model);
    return model;
  };
}

/** Requests were checked when they came; a step that was added in Temporal alone is checked by nobody else. */
function assertAllowed(name: string, allowed: readonly string[]): void {
  const [issue] = modelIssues('', name, allowed);
  if (issue === undefined) return;
  throw new EngineError('AI001', `The model “${name}” can't be called: ${issue.message}.`, {
    suggestedAction: 'Name a model that is allowed, or none, for the model of the workers.',
    isFinal: true,
  });
}

function connect(
  { name, connectionId, callerKey }: { name: string; connectionId: string; callerKey: CallerKey | undefined },
  connections: Connections,
  env: NodeJS.ProcessEnv,
): LanguageModel {
  const create = (from: NodeJS.ProcessEnv): LanguageModel =>
    createLanguageModel(name, callerKey === undefined ? from : callerEnv(callerKey, from));
  if (connectionId === DEFAULT_AI_CONNECTION) return create(env);
  const connection = connections[connectionId];
  if (connection !== undefined && leadsTo(connection, name))
    return { ...create(connectionEnv(connection, env)), limits: limitsOf(connection) };
  throw new EngineError('AI001', `The model “${name}” can't be called through the connection “${connectionId}”.`, {
    suggestedAction:
      'Give the engine workers the SUREFOOT_CONNECTIONS of the API, and the connection a model of its vendor.',
    isFinal: true,
  });
}

/** Creates a vendor's model by its name. Its settings and credentials are read at the first call. */
export function createLanguageModel(name: string, env: NodeJS.ProcessEnv): LanguageModel {
  const parsed = parseModelName(name);
  if (parsed === undefined || parsed.vendor === 'rules') {
    const problem = modelProblem(name) ?? 'it is the model of no vendor';
    throw new EngineError('AI001', `The model “${name}” can't be called: ${problem}.`, {
      suggestedAction: 'Correct config.aiConfig.model of the session, or SUREFOOT_MODEL of the workers.',
      isFinal: true,
    });
  }
  return withCassette(createVendorModel(parsed.vendor, name, parsed.model, env), env);
}

function createVendorModel<Vendor extends VendorName>(
  vendor: Vendor,
  name: string,
  model: string,
  env: NodeJS.ProcessEnv,
): LanguageModel {
  const settings = () => readVendorValues(vendor, name, env);
  const generate = PROVIDERS[vendor].connect({ vendor, name, model, settings });
  const contextWindow = contextWindowOf(name, env);
  return {
    name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    async generate(request) {
      await loadVendor(vendor);
      try {
        return await generate(request);
      } catch (error) {
        // A vendor may repeat a key that it refuses.
        const keys = new Redactor();
        for (const key of keysOf(vendor, env)) keys.add(key);
        throw redactError(error, keys);
      }
    },
    keyHash: keyHashOf(vendor, env),
  };
}
