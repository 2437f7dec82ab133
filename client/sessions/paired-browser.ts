import type { AgentConfig } from '../../contracts/tasks/agent-config';
import type { Store } from '../../store/store';
import { ClientError } from '../port';
import { notFound } from './session-row';
import { fromStore } from '../connection/store-errors';

const PAIR_AGAIN =
  'Pair the browser (POST /v1/browser-sessions/pair, docs/relay.md) and name the id that it is registered under.';

/**
 * Refuses what would fail at the first call of a tool: a browser that is not there for this tenant, or that will not come
 * back. One that is only not connected now is waited for. Whose it is was settled at the start of a session that is there.
 */
export async function assertPairedBrowser(
  { relay }: Pick<Store, 'relay'>,
  { executor, browserSessionId = '' }: Pick<AgentConfig, 'executor' | 'browserSessionId'>,
  tenant?: string,
): Promise<void> {
  if (executor !== 'relay') return;
  const browser = await fromStore(() => relay.sessions.get(browserSessionId));
  // Another tenant's is told as if it were not there.
  if (browser === null || (tenant !== undefined && browser.tenant !== tenant))
    throw notFound(`There is no browser session ${browserSessionId}. ${PAIR_AGAIN}`);
  const { revokedAt, isExpired } = browser;
  if (revokedAt === null && !isExpired) return;
  const state = revokedAt === null ? 'expired' : 'revoked';
  const told = state === 'expired' ? 'has expired' : 'was revoked';
  throw new ClientError('wrong-state', 'SP001', `Browser session ${browserSessionId} ${told}. ${PAIR_AGAIN}`, {
    state,
  });
}
