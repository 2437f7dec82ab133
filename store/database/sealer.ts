import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { decryptBytes, encryptBytes } from '../../runtime/payloads/encryption';
import { newSecretKey, storedKey } from '../../runtime/stored-key';

/** Encrypts what must not stand readable in the database (AES-256-GCM). */
export interface Sealer {
  /** Equal for equal texts of one place; says nothing of the text without the key. */
  digest(text: string, place: string): string;
  /** Names the key without revealing it: equal for processes that can open what the others seal. */
  keyId(): string;
  /** `place` says what it is and whose: opened anywhere else, it is refused. */
  seal(text: string, place: string): string;
  /** Null when it was sealed with another key, or for another place. */
  open(sealed: string, place: string): string | null;
}

interface SealerOptions {
  home: string;
  /** SUREFOOT_SECRET_KEY; without one a key is made once and kept in the home folder. */
  secretKey?: string | undefined;
}

const PREFIX = 'sealed:1';
/** How a sealed text begins. */
export const SEALED = `${PREFIX}:`;

export function isSealed(text: string): boolean {
  return text.startsWith(SEALED);
}

/** The key is looked for when it is first needed: most sessions have nothing to seal. */
export function createSealer({ home, secretKey }: SealerOptions): Sealer {
  let known: { key: Buffer; id: string } | undefined;
  const loadKey = (): { key: Buffer; id: string } => {
    if (known !== undefined) return known;
    const key = Buffer.from(
      hkdfSync('sha256', secretKey ?? storedKey(join(home, 'secret.key'), newSecretKey), '', 'surefoot secrets', 32),
    );
    return (known = { key, id: createHash('sha256').update(key).digest('base64url').slice(0, 8) });
  };
  return {
    keyId: () => loadKey().id,
    digest: (text, place) => createHmac('sha256', loadKey().key).update(`${place}\0${text}`).digest('hex'),
    seal(text, place) {
      const { key, id } = loadKey();
      const body = encryptBytes(Buffer.from(text), key, place);
      return `${PREFIX}:${id}:${body.toString('base64')}`;
    },
    open(sealed, place) {
      const { key, id } = loadKey();
      const [, , keyId, text = ''] = sealed.split(':');
      if (!isSealed(sealed) || keyId !== id) return null;
      try {
        return decryptBytes(Buffer.from(text, 'base64'), key, place).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
