import { join } from 'node:path';
import { PAYLOADS_OFF } from '../../runtime/payloads/payload-keys';
import { SETTINGS } from '../../runtime/settings/definitions';
import { newSecretKey, readStoredKey, storedKey } from '../../runtime/stored-key';

/**
 * The payload keys of a stack with a Temporal server of its own, as SUREFOOT_PAYLOAD_KEYS has them: those of the
 * environment, else those of the home, made once where the stack encrypts. Where encryption is off, payloads that were
 * encrypted before stay readable.
 */
export function payloadKeysOfStack(home: string, env: NodeJS.ProcessEnv, encrypts: boolean): string | undefined {
  const file = join(home, 'payload.keys');
  const set = env[SETTINGS.payloadKeys.env];
  if (set && set !== PAYLOADS_OFF) return set;
  if (encrypts && !set) return storedKey(file, () => `local=${newSecretKey()}`).trim();
  const known = readStoredKey(file)?.trim();
  if (known === undefined) return set || undefined;
  return set === PAYLOADS_OFF ? `${PAYLOADS_OFF},${known}` : known;
}
