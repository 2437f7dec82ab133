import type { DecisionRequest } from '../../contracts/model-port/port';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { durableTarget, selectorText } from '../page-text/durable-target';
import type { Action } from '../language/intent';
import { nearestNamed, type Item, type Page } from './page-index';
import type { TargetSearch } from './resolution';
import { resolve } from './resolve';

/** Resolves an action; among several equal matches, the one that an investigation found reliable is used. */
export function resolveWithInvestigation(
  request: DecisionRequest,
  action: Action,
  page: Page,
  previous: Action | undefined,
): TargetSearch {
  const resolution = resolve(action, page, previous);
  if (resolution.kind !== 'several' || request.investigation === undefined) return resolution;
  const reliable = request.investigation.elements
    .filter(({ isReliable }) => isReliable)
    .map(({ selector }) => selector);
  const meant = resolution.items.filter((item) => reliable.includes(selectorFor(request.snapshot, item) ?? ''));
  if (meant.length !== 1) return resolution;
  // Hides the other matches for this action, because visible items are preferred.
  const others = resolution.items.filter((item) => item !== meant[0] && !item.isHidden);
  for (const other of others) other.isHidden = true;
  try {
    return resolve(action, page, previous);
  } finally {
    for (const other of others) other.isHidden = false;
  }
}

/** The durable selector of an item; undefined where the item has no ref. */
export function selectorFor(snapshot: PageSnapshot, item: Item): string | undefined {
  const ref = nearestNamed(item)?.node?.ref;
  const target = ref === undefined ? undefined : durableTarget(snapshot, ref);
  return target === undefined ? undefined : selectorText(target);
}
