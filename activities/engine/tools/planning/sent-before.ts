import { requestsIn, type ObservedRequest } from '../../../../contracts/commands/evidence';
import type { Target } from '../../../../contracts/commands/planned-command';
import { isPage, toPagePattern } from '../../../../contracts/recipes/page-pattern';
import type { RecipeRound } from '../../../../contracts/recipes/recipe';
import type { JournalEntry } from '../../../../store/journal/journal';
import { pressedLabel, type PressedPlace } from '../../../deeds/judgement';
import type { PressFacts } from '../../../deeds/presses';

/**
 * Finds what clicks on a control of this role and name have sent: in this session, on the page of the same path, by their
 * evidence; in others, by the recipes that were learnt there. A round of a recipe says what its commands have sent together.
 */
export function requestsOf(
  clicks: readonly JournalEntry[],
  rounds: readonly RecipeRound[],
  pageUrl: string,
): PressFacts['sentBefore'] {
  const here = placeOf(pageUrl);
  const own = clicks.filter((entry) => entry.target !== undefined && placeOf(entry.pageUrl) === here);
  const pattern = toPagePattern(pageUrl);
  const learnt = rounds.filter(({ page, after }) => after.requests.length > 0 && isPage(page, pattern));
  return (place) => [
    ...own.flatMap((entry) => (isOf(entry.target as unknown as Target, place) ? requestsIn(entry.evidence) : [])),
    ...learnt.flatMap(({ commands, after }) => {
      const isClicked = commands.some(
        ({ action, target }) => action === 'CLICK_ELEMENT' && target !== undefined && isOf(target, place),
      );
      return isClicked ? after.requests.map(toRequest) : [];
    }),
  ];
}

/** The request whose answer the page is, where sending it again may change something: a reload sends it again. */
export function requestOfPage(done: readonly JournalEntry[], pageUrl: string): ObservedRequest | undefined {
  const address = withoutFragment(pageUrl);
  const newest = done
    .flatMap(({ evidence }) => requestsIn(evidence))
    .findLast(({ url, status = 0 }) => withoutFragment(url) === address && !(status >= 300 && status < 400));
  return newest === undefined || /^(?:GET|HEAD)$/.test(newest.method) ? undefined : newest;
}

function isOf({ role, name }: Pick<Target, 'role' | 'name'>, { node }: PressedPlace): boolean {
  return role === node.role && name === pressedLabel(node);
}

/** As recipes write it: method and pattern of the address. */
function toRequest(text: string): ObservedRequest {
  const [method = '', ...address] = text.split(' ');
  return { method, url: address.join(' ') };
}

function placeOf(url: string): string {
  return url.split(/[?#]/)[0]!;
}

function withoutFragment(url: string): string {
  return url.split('#')[0]!;
}
