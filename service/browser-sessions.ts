import type { BrowserSession, Paired, PairRequest, RegisteredBrowser } from '../contracts/relay/browser-sessions';
import { RELAY_PATH } from '../contracts/relay/protocol';
import { DEFAULT_TENANT } from '../contracts/sessions/start-request';
import { canonicalJson } from '../contracts/json';
import { KeyReused, type Keyed } from '../store/relay/keyed-tokens';
import type { BrowserSessionRow, RegisteredRow } from '../store/relay/relay-sessions';
import type { Store } from '../store/store';
import { keyReused, parseIdempotencyKey } from './connection/idempotency-key';
import type { IdempotencyOptions } from './port/receipt';
import { notFound } from './rows/session-row';
import { fromStore } from './connection/store-errors';

/** `isReplayed`: its Idempotency-Key had issued it before. */
export interface Issued<T> {
  issued: T;
  isReplayed: boolean;
}

/** Pairs, lists and revokes browsers of people, which connect over the relay. Methods may throw ClientError. */
export interface BrowserSessions {
  pair(request: PairRequest, options?: IdempotencyOptions): Promise<Issued<Paired>>;
  /** Resolves to null for an invalid, used or expired pairing token. */
  register(pairingToken: string, options?: IdempotencyOptions): Promise<Issued<RegisteredBrowser> | null>;
  /** Resolves to null for an invalid, replaced or expired session token. */
  rotate(sessionToken: string, options?: IdempotencyOptions): Promise<Issued<RegisteredBrowser> | null>;
  list(tenant?: string): Promise<BrowserSession[]>;
  /** Ends a browser session and its connection at once. Another tenant's browser session is `not-found`. */
  revoke(browserSessionId: string, tenant?: string): Promise<void>;
}

export function createBrowserSessions({
  store,
  lives,
}: {
  store: Pick<Store, 'relay'>;
  lives: { pairingMs: number; sessionMs: number };
}): BrowserSessions {
  const { sessions, notifier } = store.relay;
  return {
    pair: (request, options) =>
      issue(async () => {
        const { label, external_user_id: externalUserId, tenant = DEFAULT_TENANT } = request;
        const facts = { tenant, label, externalUserId, lifeMs: lives.pairingMs };
        const { pairingToken, expiresAt, isReplayed } = await sessions.pair(facts, keyedOf(options, request));
        const issued = {
          pairing_token: pairingToken,
          expires_at: expiresAt,
          expires_in_seconds: Math.floor(lives.pairingMs / 1000),
        };
        return { issued, isReplayed };
      }),
    register: (token, options) =>
      issue(async () => toRegistered(await sessions.register(token, lives.sessionMs, keyedOf(options)))),
    rotate: (token, options) =>
      issue(async () => toRegistered(await sessions.rotate(token, lives.sessionMs, keyedOf(options)))),
    list: (tenant) => fromStore(async () => (await sessions.list(tenant)).map(toBrowserSession)),
    revoke: (browserSessionId, tenant) =>
      fromStore(async () => {
        if (!(await sessions.revoke(browserSessionId, tenant)))
          throw notFound(`There is no browser session ${browserSessionId}.`);
        // The API process that holds its socket closes it.
        await notifier.notify(browserSessionId);
      }),
  };
}

function keyedOf({ idempotencyKey }: IdempotencyOptions = {}, request: object = {}): Keyed | undefined {
  if (idempotencyKey === undefined) return undefined;
  return { key: parseIdempotencyKey(idempotencyKey), request: canonicalJson(request) };
}

async function issue<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await fromStore(make);
  } catch (error) {
    if (error instanceof KeyReused) throw keyReused('a token');
    throw error;
  }
}

function toRegistered(found: RegisteredRow | null): Issued<RegisteredBrowser> | null {
  if (found === null) return null;
  const { row, sessionToken, isReplayed } = found;
  const { browserSessionId, expiresAt, tenant } = row;
  const issued = {
    browser_session_id: browserSessionId,
    session_token: sessionToken,
    expires_at: expiresAt,
    tenant,
    relay_path: RELAY_PATH,
  };
  return { issued, isReplayed };
}

function toBrowserSession(row: BrowserSessionRow): BrowserSession {
  return {
    browser_session_id: row.browserSessionId,
    tenant: row.tenant,
    label: row.label,
    external_user_id: row.externalUserId,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    is_connected: row.isConnected,
    client: row.client,
  };
}
