import { parseModelName } from '../../../contracts/models/model-name';
import type { SessionConfig } from '../../../contracts/sessions/config';
import type { Model, ModelResolver } from '../../../contracts/model-port/port';
import type { Store } from '../../../store/store';
import { EngineError } from '../../activity/failures';

/**
 * Finds the model of a call, with the key of the session's agent where it has given one for the model's vendor. Throws AI002
 * where that can't be read here: no other key takes its place.
 */
export async function sessionModel(
  { store, resolveModel }: { store: Pick<Store, 'secrets'>; resolveModel: ModelResolver },
  sessionId: string,
  ai: Pick<SessionConfig['ai'], 'model' | 'connectionId'>,
): Promise<Model> {
  const vendor = parseModelName(ai.model)?.vendor ?? 'rules';
  if (vendor === 'rules') return resolveModel(ai);
  const own = await store.secrets.callerKey(sessionId);
  if (own?.vendor !== vendor) return resolveModel(ai);
  if (own.key === null)
    throw new EngineError('AI002', 'The apiKey of the agent was sealed with another key, and can not be read here.', {
      suggestedAction: 'Give the engine workers and the program of the agent the same SUREFOOT_SECRET_KEY.',
      isFinal: true,
    });
  return resolveModel(ai, { vendor, key: own.key });
}
