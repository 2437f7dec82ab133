import type { Request } from 'playwright';
import type { ObservedRequest, PageEvidence } from '../../../contracts/commands/evidence';

/** A page may do without end what is evidence. */
const MAX_KEPT = 50;

export function emptyEvidence(): PageEvidence {
  return { requests: [], dialogs: [], consoleErrors: [], navigations: [] };
}

export function pushBounded<T>(list: T[], item: T): void {
  if (list.length < MAX_KEPT) list.push(item);
}

/** The types of requests whose answer no page gets to see. cspell:ignore cspreport */
const PINGS: readonly string[] = ['ping', 'cspreport'];

export function observedRequest(request: Request): ObservedRequest {
  const isPing = PINGS.includes(request.resourceType());
  return { method: request.method(), url: request.url(), ...(isPing && { isPing }) };
}
