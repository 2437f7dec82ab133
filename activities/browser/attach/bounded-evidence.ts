import type { PageEvidence } from '../../../contracts/commands/evidence';

/** A page may do without end what is evidence. */
const MAX_KEPT = 50;

export function emptyEvidence(): PageEvidence {
  return { requests: [], dialogs: [], consoleErrors: [], navigations: [] };
}

export function pushBounded<T>(list: T[], item: T): void {
  if (list.length < MAX_KEPT) list.push(item);
}
