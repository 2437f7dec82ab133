import { createHash, randomBytes } from 'node:crypto';

const PREFIXES = { pairing: 'surefoot_pair_', session: 'surefoot_sess_' } as const;

/** Creates a token and its hash. Only the hash is stored. */
export function newRelayToken(kind: keyof typeof PREFIXES): { token: string; hash: string } {
  const token = `${PREFIXES[kind]}${randomBytes(32).toString('base64url')}`;
  return { token, hash: tokenHash(token) };
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
