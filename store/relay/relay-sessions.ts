import { randomUUID } from 'node:crypto';
import { withReadTimeout } from '../database/read-timeout';
import type { Sql, Transaction } from '../database/connect';
import type { Sealer } from '../database/sealer';
import { issueOnce, type IssuedToken, type Keyed } from './keyed-tokens';
import { newRelayToken, tokenHash } from './relay-tokens';

/** A process that has not renewed its connections for so long holds none any more. */
export const HOLDER_GONE_AFTER_MS = 10_000;

/** A remote browser, without its token. */
export interface BrowserSessionRow {
  browserSessionId: string;
  tenant: string;
  label: string | null;
  externalUserId: string | null;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  isExpired: boolean;
  isConnected: boolean;
  connectedAt: Date | null;
  /** The client's own description. */
  client: string | null;
}

export interface NewPairing {
  tenant: string;
  label?: string | undefined;
  externalUserId?: string | undefined;
  lifeMs: number;
}

/** `epoch` counts the connections of a browser session; a connection with an older epoch is not valid any more. */
export interface HeldConnection {
  browserSessionId: string;
  epoch: number;
}

/** `lost`: the holder was taken for gone, and its calls were ended. */
export type HoldState = 'held' | 'replaced' | 'revoked' | 'expired' | 'lost';

export interface RegisteredRow {
  row: BrowserSessionRow;
  sessionToken: string;
  /** The token was issued before, under the same key. */
  isReplayed: boolean;
}

export interface RelaySessions {
  /** A pairing token that works once, until its time is over. The same key gets the same token. */
  pair(facts: NewPairing, keyed?: Keyed): Promise<{ pairingToken: string; expiresAt: Date; isReplayed: boolean }>;
  /** Spends a pairing token; null for one that is unknown, spent or too old. Of two at once one gets null. */
  register(pairingToken: string, lifeMs: number, keyed?: Keyed): Promise<RegisteredRow | null>;
  /** A new session token in place of this one, which ends; null for one that does not hold. */
  rotate(sessionToken: string, lifeMs: number, keyed?: Keyed): Promise<RegisteredRow | null>;
  get(browserSessionId: string): Promise<BrowserSessionRow | null>;
  /** Newest first, those that were revoked left out. */
  list(tenant: string | undefined): Promise<BrowserSessionRow[]>;
  /** True when it was there, of this tenant where one is named, and had not been revoked. */
  revoke(browserSessionId: string, tenant: string | undefined): Promise<boolean>;
  /** Makes the holder the one that has its socket; every earlier connection is replaced by it. Null: no token that holds. */
  connect(
    sessionToken: string,
    facts: { holder: string; memoryId: string; client: string | null },
  ): Promise<HeldConnection | null>;
  /** Renews the holder's connections; resolves to the state of each. */
  hold(holder: string, held: readonly HeldConnection[]): Promise<Map<string, HoldState>>;
  /** Ends a connection unless a newer one has replaced it; true when it was the newest. */
  disconnect(connection: HeldConnection): Promise<boolean>;
  /** Ends the connections of holders that are not there any more. */
  dropLost(): Promise<HeldConnection[]>;
}

interface HeldRow extends BrowserSessionRow {
  epoch: number;
  holder: string | null;
}

function holdStateOf(row: HeldRow | undefined, { epoch }: HeldConnection, holder: string): HoldState {
  if (row === undefined || row.revokedAt !== null) return 'revoked';
  if (row.epoch !== epoch) return 'replaced';
  if (row.isExpired) return 'expired';
  return row.holder === holder ? 'held' : 'lost';
}

export function createRelaySessions(sql: Sql, sealer: Sealer): RelaySessions {
  const shown = sql`browser_session_id, tenant, label, external_user_id, created_at, expires_at, revoked_at, connected_at, client,
    expires_at <= clock_timestamp() as is_expired,
    holder is not null and held_at > clock_timestamp() - ${HOLDER_GONE_AFTER_MS} * interval '1 millisecond' as is_connected`;
  const after = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
  const isGood = sql`revoked_at is null and expires_at > clock_timestamp()`;

  /** Null for a token that was replaced meanwhile. */
  const registered = async (issued: IssuedToken | null): Promise<RegisteredRow | null> => {
    if (issued === null) return null;
    const { token: sessionToken, isReplayed } = issued;
    const [row] = await sql<BrowserSessionRow[]>`
      select ${shown} from browser_sessions where token_hash = ${tokenHash(sessionToken)}`;
    return row === undefined ? null : { row, sessionToken, isReplayed };
  };

  return {
    async pair({ tenant, label, externalUserId, lifeMs }, keyed) {
      // Unused pairings are deleted with the next one.
      await sql`delete from relay_pairings where expires_at < clock_timestamp() - interval '1 day'`;
      const issued = await issueOnce(sql, sealer, { scope: `pair:${tenant}`, keyed }, async (tx) => {
        const { token, hash } = newRelayToken('pairing');
        await tx`
          insert into relay_pairings (token_hash, tenant, label, external_user_id, expires_at)
          values (${hash}, ${tenant}, ${label ?? null}, ${externalUserId ?? null}, ${after(lifeMs)})`;
        return token;
      });
      const { token: pairingToken, isReplayed } = issued!;
      const [row] = await sql`select expires_at from relay_pairings where token_hash = ${tokenHash(pairingToken)}`;
      return { pairingToken, expiresAt: row!.expiresAt, isReplayed };
    },
    async register(pairingToken, lifeMs, keyed) {
      const issue = async (tx: Transaction): Promise<string | null> => {
        const [pairing] = await tx<{ tenant: string; label: string | null; externalUserId: string | null }[]>`
          update relay_pairings set used_at = clock_timestamp()
          where token_hash = ${tokenHash(pairingToken)} and used_at is null and expires_at > clock_timestamp() returning *`;
        if (pairing === undefined) return null;
        const { token, hash } = newRelayToken('session');
        const { tenant, label, externalUserId } = pairing;
        await tx`
          insert into browser_sessions (browser_session_id, tenant, label, external_user_id, token_hash, expires_at)
          values (${randomUUID()}, ${tenant}, ${label}, ${externalUserId}, ${hash}, ${after(lifeMs)})`;
        return token;
      };
      return await registered(await issueOnce(sql, sealer, { scope: `register:${pairingToken}`, keyed }, issue));
    },
    async rotate(sessionToken, lifeMs, keyed) {
      const issue = async (tx: Transaction): Promise<string | null> => {
        const { token, hash } = newRelayToken('session');
        const rows = await tx`
          update browser_sessions set token_hash = ${hash}, expires_at = ${after(lifeMs)}
          where token_hash = ${tokenHash(sessionToken)} and ${isGood} returning 1`;
        return rows.length === 0 ? null : token;
      };
      return await registered(await issueOnce(sql, sealer, { scope: `rotate:${sessionToken}`, keyed }, issue));
    },
    async get(browserSessionId) {
      const [row] = await sql<
        BrowserSessionRow[]
      >`select ${shown} from browser_sessions where browser_session_id = ${browserSessionId}`;
      return row ?? null;
    },
    async list(tenant) {
      const rows = await sql<BrowserSessionRow[]>`
        select ${shown} from browser_sessions
        where revoked_at is null and ${tenant === undefined ? sql`true` : sql`tenant = ${tenant}`}
        order by created_at desc, browser_session_id limit 1000`;
      return [...rows];
    },
    async revoke(browserSessionId, tenant) {
      const rows = await sql`
        update browser_sessions set revoked_at = clock_timestamp()
        where browser_session_id = ${browserSessionId} and revoked_at is null
          and ${tenant === undefined ? sql`true` : sql`tenant = ${tenant}`} returning 1`;
      return rows.length > 0;
    },
    async connect(sessionToken, { holder, memoryId, client }) {
      const [row] = await withReadTimeout(sql<HeldConnection[]>`
        update browser_sessions set epoch = epoch + 1, holder = ${holder}, held_at = clock_timestamp(),
          connected_at = clock_timestamp(), memory_id = ${memoryId}, client = ${client}
        where token_hash = ${tokenHash(sessionToken)} and ${isGood} returning browser_session_id, epoch`);
      return row ?? null;
    },
    async hold(holder, held) {
      if (held.length === 0) return new Map();
      const ids = held.map(({ browserSessionId }) => browserSessionId);
      const isOne = sql`browser_session_id in ${sql(ids)}`;
      await withReadTimeout(
        sql`update browser_sessions set held_at = clock_timestamp() where holder = ${holder} and ${isOne}`,
      );
      const rows = await withReadTimeout(
        sql<HeldRow[]>`select ${shown}, epoch, holder from browser_sessions where ${isOne}`,
      );
      const byId = new Map(rows.map((row) => [row.browserSessionId, row]));
      return new Map(
        held.map((one) => [one.browserSessionId, holdStateOf(byId.get(one.browserSessionId), one, holder)]),
      );
    },
    async disconnect({ browserSessionId, epoch }) {
      const rows = await sql`
        update browser_sessions set holder = null
        where browser_session_id = ${browserSessionId} and epoch = ${epoch} and holder is not null returning 1`;
      return rows.length > 0;
    },
    async dropLost() {
      const rows = await sql<HeldConnection[]>`
        update browser_sessions set holder = null
        where holder is not null and held_at < clock_timestamp() - ${HOLDER_GONE_AFTER_MS} * interval '1 millisecond'
        returning browser_session_id, epoch`;
      return [...rows];
    },
  };
}
