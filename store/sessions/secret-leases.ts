import type { SecretPlan } from '../../contracts/sessions/secrets';
import { DEFAULT_TENANT, type SessionPlan } from '../../contracts/sessions/start-request';
import type { Sql } from '../database/connect';
import { withRefusals } from '../database/refusals';
import type { Sealer } from '../database/sealer';
import { placeOf } from './secrets';

/** `held`: another open session of the tenant has the secret of this alias. */
export type SecretLease = { kind: 'leased' } | { kind: 'held'; alias: string; sessionId: string; title: string };

/** Exclusive secrets: each is used by one open session of a tenant at a time, and given back by the end of that session. */
export interface SecretLeases {
  /** Gives the session all of them, or none. Harmless to repeat. Throws StoreRefusal when the session belongs to another run. */
  lease(sessionId: string, runId: string): Promise<SecretLease>;
}

export function createSecretLeases(sql: Sql, sealer: Sealer): SecretLeases {
  /** What two sessions have in common that sign in as the same user. */
  function credentialOf(sessionId: string, alias: string, plan: SecretPlan, sealed: string | null): string {
    const { mailbox } = plan;
    if (mailbox !== undefined) return `mailbox ${mailbox.user} ${mailbox.host.toLowerCase()}`;
    const { env, from } = plan.totp ?? plan;
    if (env !== undefined) return `env ${env}`;
    if (from !== undefined) return `from ${from}`;
    const value = sealed === null ? null : sealer.open(sealed, placeOf(sessionId, alias));
    // One that can't be opened is used by nobody.
    return value === null ? `lost ${sessionId} ${alias}` : `value ${sealer.digest(value, 'an exclusive secret')}`;
  }

  return {
    lease: (sessionId, runId) =>
      withRefusals(
        sql.begin(async (tx): Promise<SecretLease> => {
          const [row] = await tx<{ plan: SessionPlan }[]>`
            select plan from guarded_session(${sessionId}, ${tx.json({ runId })})`;
          const { tenant = DEFAULT_TENANT, secrets = {} } = row!.plan;
          const stored = await tx<{ alias: string; sealed: string | null }[]>`
            select alias, sealed from secrets where session_id = ${sessionId}`;
          const sealedOf = new Map(stored.map(({ alias, sealed }) => [alias, sealed]));
          const wanted = Object.entries(secrets).flatMap(([alias, plan]) =>
            plan.exclusive === true
              ? [{ alias, credential: credentialOf(sessionId, alias, plan, sealedOf.get(alias) ?? null) }]
              : [],
          );
          // Until the end of the transaction nobody else of the tenant takes one, so that two sessions never have half each.
          await tx`select pg_advisory_xact_lock(hashtext('secret'), hashtext(${tenant}))`;
          const [held] = await tx<{ credential: string; sessionId: string; title: string }[]>`
            select credential, session_id, title from secret_leases join sessions using (session_id)
            where tenant = ${tenant} and credential in ${tx(wanted.map(({ credential }) => credential))}
              and session_id <> ${sessionId} limit 1`;
          if (held !== undefined) {
            const { credential, ...holder } = held;
            return { kind: 'held', alias: wanted.find((each) => each.credential === credential)!.alias, ...holder };
          }
          for (const { credential } of wanted)
            await tx`
              insert into secret_leases (tenant, credential, session_id) values (${tenant}, ${credential}, ${sessionId})
              on conflict do nothing`;
          return { kind: 'leased' };
        }),
      ),
  };
}
