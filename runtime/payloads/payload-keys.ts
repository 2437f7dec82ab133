import { hkdfSync } from 'node:crypto';
import { z } from 'zod';

/** A key of payloads in Temporal, by the id that each payload names. */
export interface PayloadKey {
  id: string;
  key: Buffer;
  /** It reads what was encrypted before; nothing is encrypted any more. */
  onlyDecrypts?: true;
}

/** In the place of the first pair: payloads are not encrypted, and the pairs behind it decrypt. */
export const PAYLOADS_OFF = 'off';

const KeySchema = z.string().regex(/^[\w.-]{1,64}=\S{32,}$/);

/**
 * SUREFOOT_PAYLOAD_KEYS: `id=key` pairs, separated by commas; a key is at least 32 random characters. The first pair
 * encrypts, every pair decrypts: a key is replaced by writing a new pair before the old one. `off` in place of the first
 * pair encrypts nothing.
 */
export const PayloadKeysSchema = z.string().transform((text, context): readonly PayloadKey[] => {
  const all = text.split(',').map((pair) => pair.trim());
  const isOff = all[0] === PAYLOADS_OFF;
  const pairs = isOff ? all.slice(1) : all;
  const ids = pairs.map((pair) => pair.split('=', 1)[0] ?? '');
  if (!pairs.every((pair) => KeySchema.safeParse(pair).success)) {
    context.addIssue({
      code: 'custom',
      message: 'expected off, or pairs such as 2026-11=KEY,2026-05=KEY, each KEY at least 32 random characters',
    });
    return z.NEVER;
  }
  if (new Set(ids).size < ids.length) {
    context.addIssue({ code: 'custom', message: `expected each id once, got ${ids.join(', ')}` });
    return z.NEVER;
  }
  return pairs.map((pair, index) => {
    const id = ids[index] ?? '';
    const key = Buffer.from(hkdfSync('sha256', pair.slice(id.length + 1), '', 'surefoot payloads', 32));
    return isOff ? { id, key, onlyDecrypts: true } : { id, key };
  });
});
