import { isListedReference } from '../../../contracts/sessions/secret-place';
import type { Settings } from '../../../runtime/settings/settings';
import { withinMs } from '../../../runtime/time-limit';
import type { SecretRow } from '../../../store/sessions/secrets';
import type { Store } from '../../../store/store';
import { EngineError } from '../../activity/failures';
import { createOfficialClients } from './official-clients';
import { sourceError, type SecretSource } from './secret-source';
import { createVault } from './vault';

/** Of one reading. */
const LIMIT_MS = 10_000;
/** A session reads its secrets with every batch; a value that was rotated is used after this time. */
const KEPT_MS = 60_000;

/** Reads the value of a reference. It is kept in memory alone, for a minute. */
export function createReferenceReader(
  settings: Pick<Settings, 'secretSources' | 'floors'>,
  sources: readonly SecretSource[] = [
    createVault(settings.secretSources),
    ...createOfficialClients(settings.secretSources),
  ],
): (reference: string) => Promise<string> {
  const kept = new Map<string, Promise<string>>();

  function valueOf(reference: string): Promise<string> {
    const known = kept.get(reference);
    if (known !== undefined) return known;
    const value = read(reference);
    kept.set(reference, value);
    const forget = () => void (kept.get(reference) === value && kept.delete(reference));
    value.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return value;
  }

  async function read(reference: string): Promise<string> {
    const source = sources.find(({ prefix }) => reference.startsWith(prefix));
    if (source === undefined || !isListedReference(settings.floors.secretReferences, reference))
      throw sourceError(reference, 'refused', 'it is not among those that SUREFOOT_SECRET_REFERENCES lists.');
    const limit = AbortSignal.timeout(LIMIT_MS);
    const late = () => sourceError(reference, 'unreachable', `no answer within ${LIMIT_MS / 1000} s.`);
    try {
      return await withinMs(LIMIT_MS, source.read(reference, limit), late);
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw limit.aborted ? late() : sourceError(reference, 'unreachable', 'its server was not reached.');
    }
  }

  return valueOf;
}

/** The store of a browser worker: secrets that are in a secret manager have their value. */
export function withSecretSources(store: Store, valueOf: (reference: string) => Promise<string>): Store {
  async function resolve(row: SecretRow): Promise<SecretRow> {
    if (row.source.kind !== 'reference') return row;
    return { ...row, source: { kind: 'value', value: await valueOf(row.source.reference) } };
  }

  const { secrets } = store;
  return {
    ...store,
    secrets: {
      ...secrets,
      ofSession: async (sessionId) => await Promise.all((await secrets.ofSession(sessionId)).map(resolve)),
    },
  };
}
