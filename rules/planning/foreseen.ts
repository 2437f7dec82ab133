import type { DecisionRequest } from '../../contracts/model-port/port';
import type { Action } from '../language/intent';
import type { Page } from '../matching/page-index';
import { collect, type Collected } from './collect';
import { ambiguous, notUnderstood } from './messages';

const FILLS: readonly string[] = ['SET_CHECKED', 'INPUT_TEXT', 'SELECT_OPTION'];
const MOST_STRETCHES = 20;
/** What is chosen in such a list, or typed there, changes what the page shows. */
const SHOWS_OTHERS = /\b(?:per page|rows|sort|order|filter|search|find|show|view|category|status)\b/i;

const mayShowOthers = ({ batch }: Collected): boolean =>
  batch.some(({ target }) => target !== undefined && SHOWS_OTHERS.test([target.label, ...target.hints].join(' ')));

const fills = (entries: Collected['batch']): boolean =>
  entries.length > 0 && entries.every(({ commands }) => commands.every(({ action }) => FILLS.includes(action)));

/**
 * Why what follows cannot be done, where the first commands only fill in what is there: nothing of the step is done then.
 * What a click brings is not known before it.
 */
export function foreseen(
  request: DecisionRequest,
  page: Page,
  actions: readonly Action[],
  first: Collected,
): string | undefined {
  let following = first;
  for (let stretch = 0; fills(following.batch) && stretch < MOST_STRETCHES; stretch += 1) {
    if (mayShowOthers(following)) return undefined;
    if (following.end >= actions.length) return undefined;
    following = collect(request, page, actions, following.end);
  }
  const { stop } = following;
  if (following === first || stop === undefined || following.batch.length > 0 || following.split) return undefined;
  if (stop.why.kind === 'refused') return stop.why.message;
  const action = actions[stop.index];
  if (action?.intent.kind !== 'words') return undefined;
  return stop.why.kind === 'several' ? ambiguous(page, stop.why) : notUnderstood(action.said, undefined);
}
