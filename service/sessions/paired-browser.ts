import type { AgentConfig } from '../../contracts/tasks/agent-config';
import type { Store } from '../../store/store';
import { ClientError } from '../port/port';
import { notFound } from '../rows/session-row';
import { fromStore } from '../connection/store-errors';

const PAIR_AGAIN =
  'Pair the browser (POST /v1/browser-sessions/pair, docs/relay.md) and name the id that it is registered under.';

/**
 * Throws where the browser of a relay session does not exist for the tenant, or was revoked or has expired. A browser
 * that is not connected is waited for. Added steps are checked without the tenant, which the start has checked.
 */
export async function assertPairedBrowser(
  { relay }: Pick<Store, 'relay'>,
  { executor, browserSessionId = '' }: Pick<AgentConfig, 'executor' | 'browserSessionId'>,
  tenant?: string,
): Promise<void> {
  if (executor !== 'relay') return;
  const browser = await fromStore(() => relay.sessions.get(browserSessionId));
  // A browser of another tenant is `not-found`.
  if (browser === null || (tenant !== undefined && browser.tenant !== tenant))
    throw notFound(`There is no browser session ${browserSessionId}. ${PAIR_AGAIN}`);
  const { revokedAt, isExpired } = browser;
  if (revokedAt === null && !isExpired) return;
  const state = revokedAt === null ? 'expired' : 'revoked';
  const reason = state === 'expired' ? 'has expired' : 'was revoked';
  throw new ClientError('wrong-state', 'SP001', `Browser session ${browserSessionId} ${reason}. ${PAIR_AGAIN}`, {
    state,
  });
}
