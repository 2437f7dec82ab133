import type { DecisionRequest } from '../../contracts/model-port/port';
import { targetsOf, type Action } from '../language/intent';
import { COPIED } from '../language/verbs/type';
import { stemsIn, wordsOf } from '../language/words';
import { accountedFor } from '../matching/accounted-for';
import { claimOfEntry } from '../matching/claim-of-entry';
import { claimOfLabel } from '../matching/claim-of-label';
import { claimOfOpen } from '../matching/claim-of-open';
import { surroundingsOf } from '../matching/entry';
import { click } from '../matching/element-commands';
import { ancestors, isInside, type Item, type Page } from '../matching/page-index';
import { leftOver } from '../matching/left-over';
import { normal } from '../matching/name-match';
import { TO_CHECK, TO_CLICK, TO_SEE } from '../matching/purpose';
import { isNew } from '../matching/read-answer';
import { MARKS, readByWords, textOf } from '../matching/read-by-words';
import { sortOn } from '../matching/read-sort';
import { closeList } from '../matching/read-list';
import { closeByOpener, closeMenu, openedFrom, partFor } from '../matching/read-way';
import { absent, commandsOn, refused, type TargetSearch } from '../matching/resolution';
import { resolveWithInvestigation } from '../matching/resolve-with-investigation';
import { containsText } from '../page-text/contains-text';
import { SEPARATOR } from '../page-text/saved-value';
import { isMet } from './expectations';
import { MAKES_OF_IT } from './pieces';
import { openedBy } from './progress';

/** Kinds of deeds that the words alone may say as well. */
export const READ_BY_WORDS: ReadonlySet<string> = new Set([
  'click',
  'words',
  'check',
  'type',
  'set',
  'choose',
  'either',
  'press',
  'search',
  'tab',
  'point',
  'expand',
]);

/** What the action means on this page, where every word of it is accounted for. */
export function byAllWords(
  request: DecisionRequest,
  page: Page,
  action: Action,
  index: number,
  previous: Action | undefined,
): TargetSearch {
  const item = previous && itemOfMenu(page, action, previous);
  if (item) return commandsOn(item, click(item));
  const read = readAction(request, page, action, index, previous);
  if (previous === undefined) return read;
  if (read.kind !== 'several' || !SAVES.test(textOf(action))) return read;
  const before = readAction(request, page, previous, -1, undefined);
  const near = before.kind === 'commands' && before.target && nearestTo(before.target, read.items);
  return near ? commandsOn(near, click(near)) : read;
}

const NAMED = /^(?:choose|select|pick|tap|click|press|hit)\s+(?:on\s+)?(?:the\s+)?["“]?(.+?)["”]?$/i;

/** “tap the dots at Ann, then Archive”: what has come with the menu has just this name, whatever else is called so. */
function itemOfMenu(page: Page, action: Action, previous: Action): Item | undefined {
  const [, name] = NAMED.exec(textOf(action)) ?? [];
  if (name === undefined || !OPENS.has(previous.intent.kind)) return undefined;
  const items = page.items.filter(
    (item) => isNew(item) && TO_CLICK.rank(item) !== undefined && !item.isHidden && normal(item.label) === normal(name),
  );
  const inner = items.filter((item) => !items.some((other) => other !== item && isInside(other, item)));
  return inner.length === 1 ? inner[0] : undefined;
}

/** What may have opened a menu or a list. */
const OPENS: ReadonlySet<string> = new Set(['click', 'words', 'either']);

/** “set the channel to 44 and apply”: the button of what was filled in before. */
const SAVES =
  /^(?:click|press|tap|hit)?\s*(?:on\s+)?(?:the\s+)?["“]?(?:save|apply|submit|update|store|send|confirm|ok)["”]?(?:\s+(?:it|that|this|them|the\s+(?:change|changes|form)|button))*$/i;

/** The one that shares a part with an item that none of the others is in. */
function nearestTo(item: Item, items: readonly Item[]): Item | undefined {
  for (const above of ancestors(item)) {
    const inside = items.filter((each) => isInside(each, above));
    if (inside.length > 0) return inside.length === 1 ? inside[0] : undefined;
  }
  return undefined;
}

function readAction(
  request: DecisionRequest,
  page: Page,
  action: Action,
  index: number,
  previous: Action | undefined,
): TargetSearch {
  const keys = action.until === undefined ? openedBy(index, request.pastIterations).map(({ key }) => key) : [];
  const opened = openedFrom(keys);
  const sorted = sortOn(page, textOf(action), opened);
  if (sorted !== undefined) return sorted;
  const isOpen = CLAIMS.has(action.intent.kind) ? claimOfOpen(page, textOf(action)) : undefined;
  if (isOpen !== undefined) return isOpen;
  const isOnWay = opened.used.size > 0;
  const asked = isOnWay ? undefined : resolveWithInvestigation(request, action, page, previous);
  const isOther = asked?.kind === 'commands' && MARKS.test(action.said) && onlySelects(asked);
  const resolution = isOther ? absent(targetsOf(action.intent)[0]!, TO_CHECK) : asked;
  const found =
    resolution?.kind === 'commands'
      ? ofWhatWasSaid(page, action, accountedFor(page, action, resolution, request.investigation !== undefined))
      : undefined;
  // Somewhere in all of the page, or in a text that says several things, is not where it has to be.
  const isAnywhere =
    found?.kind === 'commands' &&
    found.target !== undefined &&
    (found.target.role === 'main' || saysSeveral(found.target));
  const isDoubtful = resolution !== undefined && isClaim(action) && (isAnywhere || !(found && isNowSo(request, found)));
  const claim = isDoubtful ? (claimOfEntry(page, textOf(action)) ?? claimOfLabel(page, textOf(action))) : undefined;
  if (isAnywhere && isDoubtful && claim === undefined) return absent(targetsOf(action.intent)[0]!, TO_SEE);
  if (claim ?? found) return (claim ?? found)!;
  if (action.intent.kind === 'save' && resolution?.kind !== 'several')
    return isOnWay
      ? resolveWithInvestigation(request, action, page, previous)
      : (partFor(page, wordsOf(textOf(action), false), textOf(action)) ?? resolution!);
  const isRead = isOnWay ? !opened.isClosed : READ_BY_WORDS.has(action.intent.kind);
  const read = isRead
    ? readByWords(page, isOther ? { ...action, core: action.said } : action, keys, previous)
    : undefined;
  if (resolution === undefined && opened.isMenu && read?.kind !== 'commands') return closeMenu(page);
  const list = resolution === undefined && read?.kind !== 'commands' ? closeList(page, opened) : undefined;
  if (list) return list;
  const again = resolution === undefined && opened.isClosed ? closeByOpener(page, opened) : undefined;
  if (again) return again;
  if (resolution === undefined)
    return read ?? refused(`“${action.core ?? action.said}” is not in what was opened for it.`);
  // Where it is asked which of several is meant, nothing is opened to look for others.
  const isDeed = read?.kind === 'commands' && (read.opens === undefined || resolution.kind !== 'several');
  return read !== undefined && (isDeed || resolution.kind === 'absent')
    ? ofWhatWasSaid(page, action, read)
    : resolution;
}

/** The box that selects an entry marks it as nothing. */
const onlySelects = ({ target, commands }: TargetSearch & { kind: 'commands' }): boolean =>
  target !== undefined && /^select\b/i.test(target.label) && commands.every(({ action }) => action === 'SET_CHECKED');

/** “Open fees: 0.00 · Late fees: 5.00” */
const saysSeveral = (item: Item): boolean =>
  /^(?:generic|paragraph|listitem|status|text|tabpanel|region|list|group|form)$/.test(item.role) &&
  (item.children.some(({ node }) => node !== undefined) ? textsIn(item) >= FEWEST_TEXTS : SEPARATOR.test(item.text));

const FEWEST_TEXTS = 5;
const textsIn = ({ text, children }: Item): number =>
  children.length === 0 ? Number(text.trim() !== '') : children.reduce((sum, child) => sum + textsIn(child), 0);

const CLAIMS: ReadonlySet<string> = new Set(['expect', 'expect-element', 'claim', 'words']);

/** What is expected to be seen, and not to be gone. */
const isClaim = ({ intent }: Action): boolean =>
  (intent.kind === 'expect' && intent.text !== undefined && intent.absent !== true && intent.roles === undefined) ||
  (intent.kind === 'expect-element' &&
    intent.text !== undefined &&
    intent.absent !== true &&
    intent.isMessage !== true);

/** Whether the page as it is meets what the commands would look for. */
function isNowSo({ snapshot }: DecisionRequest, resolution: TargetSearch): boolean {
  if (resolution.kind !== 'commands') return false;
  const { target } = resolution;
  return resolution.commands.every(({ parameters: { text, matchCase } }) =>
    target === undefined
      ? isMet(snapshot, { text, matchCase }) !== false
      : text === undefined ||
        text.includes('${') ||
        containsText([target.label, target.text].join(' '), text, matchCase),
  );
}

/** “We've got a third car, a Panda, can you add that one”: what is pressed has nothing to do with what was said before. */
function ofWhatWasSaid(page: Page, action: Action, found: TargetSearch): TargetSearch {
  if (found.kind !== 'commands' || found.target === undefined || action.about === undefined) return found;
  if (!MAKES_OF_IT.test(textOf(action))) return found;
  const { own, entry } = surroundingsOf(page, found.target);
  const before = wordsOf(action.about, false);
  return before.some(({ stem }) => own.has(stem) || entry.has(stem)) ? found : refused(leftOver(before));
}

const SOUGHT = /^find\s+(?!(?:the|an?|my|our)\s)(\S.*)$/i;

/** A field for what is to be found: “find lorenz” types there, and scrolls to nobody. */
const seeks = ({ role, label, hints, isHidden }: Item): boolean =>
  !isHidden &&
  /^(?:textbox|searchbox)$/.test(role) &&
  [label, ...hints].some((name) => /^(?:find|search|look up)\b/i.test(name));

/** A button that holds what is named: “hold the invoice” is no long press then. */
const holds = ({ role, label }: Item): boolean =>
  /^(?:button|link|menuitem|generic)$/.test(role) && /^(?:on\s+)?hold\b/i.test(label);

/** “Copy the hours of last week” is what “Copy last week” does, and keeps no text to be pasted. */
export function asDeedOfPage(page: Page, action: Action): Action {
  const { intent } = action;
  const sought = intent.kind === 'scroll' && intent.to === 'element' ? SOUGHT.exec(action.core ?? '')?.[1] : undefined;
  if (sought !== undefined && page.items.filter(seeks).length === 1)
    return { ...action, intent: { kind: 'search', text: sought.replace(/^["“]|["”]$/g, '') } };
  if (intent.kind === 'point' && /^hold\s/i.test(textOf(action)) && page.items.some(holds))
    return { ...action, intent: { kind: 'words' } };
  if (intent.kind !== 'save' || intent.variableName !== COPIED) return action;
  const said = stemsIn(textOf(action));
  const isDone = page.items.some(({ label, role, isHidden }) => {
    const [verb, ...names] = stemsIn(label);
    return (
      !isHidden &&
      /^(?:button|link|menuitem)$/.test(role) &&
      verb === said[0] &&
      names.some((name) => said.includes(name))
    );
  });
  return isDone ? { ...action, intent: { kind: 'words' } } : action;
}
