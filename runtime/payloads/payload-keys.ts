import { hkdfSync } from 'node:crypto';
import { z } from 'zod';

/** A key of payloads in Temporal, by the id that each payload names. */
export interface PayloadKey {
  id: string;
  key: Buffer;
}

const KeySchema = z.string().regex(/^[\w.-]{1,64}=\S{32,}$/);

/**
 * SUREFOOT_PAYLOAD_KEYS: `id=key` pairs, separated by commas; a key is at least 32 random characters. The first pair
 * encrypts, every pair decrypts: a key is replaced by writing a new pair before the old one.
 */
export const PayloadKeysSchema = z.string().transform((text, context): readonly PayloadKey[] => {
  const pairs = text.split(',').map((pair) => pair.trim());
  const ids = pairs.map((pair) => pair.split('=', 1)[0] ?? '');
  if (!pairs.every((pair) => KeySchema.safeParse(pair).success)) {
    context.addIssue({
      code: 'custom',
      message: 'expected pairs such as 2026-11=KEY,2026-05=KEY, each KEY at least 32 random characters',
    });
    return z.NEVER;
  }
  if (new Set(ids).size < ids.length) {
    context.addIssue({ code: 'custom', message: `expected each id once, got ${ids.join(', ')}` });
    return z.NEVER;
  }
  return pairs.map((pair, index) => {
    const id = ids[index] ?? '';
    return { id, key: Buffer.from(hkdfSync('sha256', pair.slice(id.length + 1), '', 'surefoot payloads', 32)) };
  });
});
