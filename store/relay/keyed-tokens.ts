import { createHash } from 'node:crypto';
import type { Sql, Transaction } from '../database/connect';
import type { Sealer } from '../database/sealer';

/** What a caller repeats: its key, and its request as text. */
export interface Keyed {
  key: string;
  request: string;
}

export interface IssuedToken {
  token: string;
  isReplayed: boolean;
}

export class KeyReused extends Error {}

/** So long a key gives the same token. */
const KEPT = '24 hours';

/**
 * Issues a token in a transaction, and issues it once for each key of a scope: a repetition gets the first token, which is
 * kept sealed. Throws KeyReused where the key was used for another request. Null where `issue` gives no token.
 */
export async function issueOnce(
  sql: Sql,
  sealer: Sealer,
  { scope, keyed }: { scope: string; keyed: Keyed | undefined },
  issue: (tx: Transaction) => Promise<string | null>,
): Promise<IssuedToken | null> {
  if (keyed === undefined) return issued(await sql.begin(issue), false);
  const keyHash = hashOf(`${scope}:${keyed.key}`);
  const requestHash = hashOf(keyed.request);
  return await sql.begin(async (tx) => {
    await tx`delete from relay_keys where created_at < clock_timestamp() - ${KEPT}::interval`;
    // A second request with the key waits here until the first has ended.
    const inserted = await tx`
      insert into relay_keys (key_hash, request_hash) values (${keyHash}, ${requestHash})
      on conflict do nothing returning key_hash`;
    if (inserted.length === 0) {
      const [kept] = await tx<{ requestHash: string; sealed: string }[]>`
        select request_hash, sealed from relay_keys where key_hash = ${keyHash}`;
      if (kept?.requestHash !== requestHash) throw new KeyReused('The key was used for another request.');
      return issued(sealer.open(kept.sealed, keyHash), true);
    }
    const token = await issue(tx);
    if (token === null) await tx`delete from relay_keys where key_hash = ${keyHash}`;
    else await tx`update relay_keys set sealed = ${sealer.seal(token, keyHash)} where key_hash = ${keyHash}`;
    return issued(token, false);
  });
}

function issued(token: string | null, isReplayed: boolean): IssuedToken | null {
  return token === null ? null : { token, isReplayed };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
