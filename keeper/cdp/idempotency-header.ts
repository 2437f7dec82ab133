import type { IdempotencyHeader } from '../../contracts/browsers/keeper';
import type { CdpConnection } from './connection';
import type { RequestPaused } from './events';

/** Requests with these methods change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Adds the idempotency header to the requests of the commit under way. Chrome pauses requests only while there is a
 * header, and only those to its origins. When this connection ends, Chrome continues paused requests without the
 * header.
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
      // Rejects when the request was cancelled meanwhile.
      void this.send('Fetch.continueRequest', session, headers === undefined ? { requestId } : { requestId, headers });
    });
  }

  /** Call it before the target starts, so that its first request is covered. */
  watch(session: string): void {
    this.sessions.add(session);
    if (this.key !== undefined) void this.apply(session);
  }

  forget(session: string): void {
    this.sessions.delete(session);
  }

  /** Resolves when all further requests carry the header, or none does. */
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
    // A target that ends has no more requests.
    return this.connection.send(method, params, target).catch(() => undefined);
  }
}

/** Chrome applies overridden headers to this request alone; a redirected one is paused anew. */
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
  // A site with its own keys knows better which requests are the same.
  if (headerOf(headers, key.header) !== undefined) return false;
  // Scripts of another site may not send a header that this origin has not allowed; forms of any site are sent.
  return resourceType === 'Document' || headerOf(headers, 'origin') === origin;
}

function headerOf(headers: Record<string, string>, name: string): string | undefined {
  return Object.entries(headers).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}
