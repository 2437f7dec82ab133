import type { IdempotencyHeader } from '../../contracts/browsers/keeper';
import type { CdpConnection } from './connection';
import type { RequestPaused } from './events';

/** These ask for nothing to be done, so there is nothing to do twice. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Puts the idempotency key of the commit under way on the requests it sets off. Only while there is a key does Chrome
 * ask about requests, and only about those to its origins. When this connection ends, Chrome lets what it holds go on
 * as it was: without the key.
 */
export class IdempotencyHeaderInjector {
  private readonly sessions = new Set<string>();

  constructor(
    private readonly connection: CdpConnection,
    private key: IdempotencyHeader | undefined,
  ) {
    connection.on('Fetch.requestPaused', (event, session) => {
      const headers = this.key !== undefined && mayCarry(event, this.key) ? withHeader(event, this.key) : undefined;
      const { requestId } = event;
      // Rejects for a request that was given up meanwhile.
      void this.send('Fetch.continueRequest', session, headers === undefined ? { requestId } : { requestId, headers });
    });
  }

  /** To be called before the target goes on, so that its first request is asked about. */
  watch(session: string): void {
    this.sessions.add(session);
    if (this.key !== undefined) void this.apply(session);
  }

  forget(session: string): void {
    this.sessions.delete(session);
  }

  /** Resolves when every request that is sent from now on carries it, or none any more. */
  async use(key: IdempotencyHeader | undefined): Promise<void> {
    this.key = key;
    await Promise.all([...this.sessions].map((session) => this.apply(session)));
  }

  private apply(session: string): Promise<unknown> {
    if (this.key === undefined) return this.send('Fetch.disable', session, {});
    const patterns = this.key.origins.map((origin) => ({ urlPattern: `${origin}/*` }));
    return this.send('Fetch.enable', session, { patterns });
  }

  private send(method: string, sessionId: string | undefined, params: object): Promise<unknown> {
    const target = sessionId === undefined ? {} : { sessionId };
    // A target that goes has no requests left to ask about.
    return this.connection.send(method, params, target).catch(() => undefined);
  }
}

/** Chrome applies overridden headers to this request alone: one that follows its redirect is asked about anew. */
function withHeader({ request: { headers } }: RequestPaused, { header, value }: IdempotencyHeader): HeaderEntry[] {
  return [...Object.entries(headers).map(([name, text]) => ({ name, value: text })), { name: header, value }];
}

interface HeaderEntry {
  name: string;
  value: string;
}

function mayCarry({ request: { method, url, headers }, resourceType }: RequestPaused, key: IdempotencyHeader): boolean {
  const { origin } = new URL(url);
  if (SAFE_METHODS.has(method) || !key.origins.includes(origin)) return false;
  // A site that has keys of its own knows better what is one and the same request.
  if (headerOf(headers, key.header) !== undefined) return false;
  // A script of another site may not send a header that this one has not agreed to; a form of any site may be sent.
  return resourceType === 'Document' || headerOf(headers, 'origin') === origin;
}

function headerOf(headers: Record<string, string>, name: string): string | undefined {
  return Object.entries(headers).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}
