import type { IdempotencyHeader } from '../../../contracts/browsers/keeper';
import type { RequestPaused } from './events';
import { isSafe } from '../../../contracts/browsers/safe-methods';

/** The headers of a request of the commit under way, with its key; undefined for one that may not carry it. */
export function headersWithKey(event: RequestPaused, key: IdempotencyHeader | undefined): HeaderEntry[] | undefined {
  return key !== undefined && mayCarry(event, key) ? withHeader(event, key) : undefined;
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
  if (isSafe(method) || !key.origins.includes(origin)) return false;
  // A site with its own keys knows better which requests are the same.
  if (headerOf(headers, key.header) !== undefined) return false;
  // Scripts of another site may not send a header that this origin has not allowed; forms of any site are sent.
  return resourceType === 'Document' || headerOf(headers, 'origin') === origin;
}

function headerOf(headers: Record<string, string>, name: string): string | undefined {
  return Object.entries(headers).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
}
