import type { BrowserSession, Paired, PairRequest, RegisteredBrowser } from '../contracts/relay/browser-sessions';
import { RELAY_PATH } from '../contracts/relay/protocol';
import { DEFAULT_TENANT } from '../contracts/sessions/start-request';
import type { BrowserSessionRow } from '../store/relay/relay-sessions';
import type { Store } from '../store/store';
import { notFound } from './sessions/session-row';
import { fromStore } from './connection/store-errors';

/** Pairs, lists and revokes browsers of people, which connect over the relay. Methods may throw ClientError. */
export interface BrowserSessions {
  pair(request: PairRequest): Promise<Paired>;
  /** Resolves to null for an invalid, used or expired pairing token. */
  register(pairingToken: string): Promise<RegisteredBrowser | null>;
  /** Resolves to null for an invalid, replaced or expired session token. */
  rotate(sessionToken: string): Promise<RegisteredBrowser | null>;
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
    pair: ({ label, external_user_id: externalUserId, tenant = DEFAULT_TENANT }) =>
      fromStore(async () => {
        const facts = { tenant, label, externalUserId, lifeMs: lives.pairingMs };
        const { pairingToken, expiresAt } = await sessions.pair(facts);
        return {
          pairing_token: pairingToken,
          expires_at: expiresAt,
          expires_in_seconds: Math.floor(lives.pairingMs / 1000),
        };
      }),
    register: (token) => fromStore(async () => toRegistered(await sessions.register(token, lives.sessionMs))),
    rotate: (token) => fromStore(async () => toRegistered(await sessions.rotate(token, lives.sessionMs))),
    list: (tenant) => fromStore(async () => (await sessions.list(tenant)).map(toBrowserSession)),
    revoke: (browserSessionId, tenant) =>
      fromStore(async () => {
        if (!(await sessions.revoke(browserSessionId, tenant)))
          throw notFound(`There is no browser session ${browserSessionId}.`);
        // Whoever holds its socket closes it.
        await notifier.notify(browserSessionId);
      }),
  };
}

function toRegistered(found: { row: BrowserSessionRow; sessionToken: string } | null): RegisteredBrowser | null {
  if (found === null) return null;
  const { browserSessionId, expiresAt, tenant } = found.row;
  return {
    browser_session_id: browserSessionId,
    session_token: found.sessionToken,
    expires_at: expiresAt,
    tenant,
    relay_path: RELAY_PATH,
  };
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
