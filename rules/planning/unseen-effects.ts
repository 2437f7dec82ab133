import type { PastCommand, DecisionRequest, PastIteration } from '../../contracts/model-port/port';
import { downloadSentences, requestsIn } from '../../contracts/commands/evidence';
import { mayChangePage, type Action, type Intent } from '../language/intent';
import { EDITABLE } from '../language/role-words';
import { describeItem, truncate } from '../matching/item-text';
import type { Item, Page } from '../matching/page-index';
import { find } from '../matching/find';
import { TO_CLICK } from '../matching/purpose';
import { resolve } from '../matching/resolve';
import { expandableOf } from '../matching/resolve-states';
import { byAllWords } from './by-all-words';
import { notesOf } from './progress';
import { describePage } from './replies';
import {
  changesByItself,
  isChangedByClick,
  isRedrawn,
  readsAsBefore,
  secondLook,
  secondLookIn,
  slightChange,
  type SecondLook,
} from './sight-before';

/**
 * Says which action of a step, all of whose commands are done, left nothing on the page that shows it: a click after which
 * the page reads as before, and a field or box that does not keep its value. Undefined where every effect is seen, and
 * where a snapshot can't show it.
 */
export function unseenEffect(asked: DecisionRequest, page: Page, actions: readonly Action[]): string | undefined {
  const { request, looks } = withoutLooks(asked);
  return (
    lostDownload(request) ??
    deadClick(request, page, actions, looks) ??
    deadExpansion(request, page, actions) ??
    lostValue(request, page, actions)
  );
}

/** Seconds in which nothing is done: a clock ticks every second; a carousel of two pictures may be back after a while. */
const SECONDS_TO_LOOK = { figures: [1.5], words: [2.5, 3.5] };

/**
 * How long the page is to be left alone and read again, because what a click as the last command has changed may change by
 * itself; undefined where that is known, or where there is no doubt.
 */
export function timeForSecondLook(
  asked: DecisionRequest,
  page: Page,
  actions: readonly Action[],
): { seconds: number; look: SecondLook } | undefined {
  const { request, looks } = withoutLooks(asked);
  const click = request.pastIterations.at(-1);
  const item = lastClicked(request, page, actions);
  if (click === undefined || item === undefined || changesByItself(page, item, click, looks)) return undefined;
  const change = slightChange(page, item, click);
  const seconds = change === undefined ? undefined : SECONDS_TO_LOOK[change][looks.length];
  return seconds === undefined ? undefined : { seconds, look: secondLook(page, item, click) };
}

/** The request as if the page had been read only now, and what the page showed at each look since its last command. */
function withoutLooks(request: DecisionRequest): { request: DecisionRequest; looks: SecondLook[] } {
  const { pastIterations } = request;
  const end = pastIterations.findLastIndex((iteration) => secondLookIn(iteration) === undefined) + 1;
  const looks = pastIterations.slice(end).flatMap((iteration) => secondLookIn(iteration) ?? []);
  if (looks.length === 0) return { request, looks };
  const { isUnchanged: _, ...snapshot } = request.snapshot;
  return { request: { ...request, pastIterations: pastIterations.slice(0, end), snapshot }, looks };
}

/** A file that a command brought and that was not stored. */
function lostDownload({ pastIterations }: DecisionRequest): string | undefined {
  const downloads = (pastIterations.at(-1)?.outcomes ?? []).flatMap(({ evidence }) =>
    evidence?.kind === 'observed' ? (evidence.downloads ?? []) : [],
  );
  return downloadSentences(downloads.filter(({ failure }) => failure !== undefined))[0];
}

/** A click as the last command, answered by no request, dialog or navigation, on a page that reads the same after it. */
function deadClick(
  request: DecisionRequest,
  page: Page,
  actions: readonly Action[],
  looks: readonly SecondLook[],
): string | undefined {
  const last = request.pastIterations.at(-1);
  const item = lastClicked(request, page, actions);
  if (last === undefined || item === undefined) return undefined;
  const isUnchanged = request.snapshot.isUnchanged === true || readsAsBefore(page, last);
  const isRestless = changesByItself(page, item, last, looks);
  if (!isRestless && (!isUnchanged || isRedrawn(item, last) || isChangedByClick(item))) return undefined;
  const shown = isRestless ? 'changes only by itself' : 'reads as before';
  return (
    `${describeItem(item)} was clicked, and nothing shows that it did anything: ${describePage(request)} ${shown}, ` +
    'and no request, dialog or navigation followed. It is not clicked again. Look at the page, then go on from there.'
  );
}

/** What may have come down to a click. */
const CLICKS: ReadonlySet<Intent['kind']> = new Set(['click', 'words', 'choose', 'either']);

/** What was clicked as the last command without an answer in its evidence; undefined for what may read the same. */
function lastClicked(request: DecisionRequest, page: Page, actions: readonly Action[]): Item | undefined {
  const last = request.pastIterations.at(-1);
  const index = last === undefined ? undefined : notesOf(last).plan.at(-1);
  const action = index === undefined ? undefined : actions[index];
  if (action === undefined || !CLICKS.has(action.intent.kind)) return undefined;
  if (!last!.outcomes.slice(-1).every(isDeadClick)) return undefined;
  const isClick = action.intent.kind === 'click';
  const resolution = isClick ? resolve(action, page) : byAllWords(request, page, action, -1, undefined);
  const item = resolution.kind === 'commands' ? resolution.target : undefined;
  return item === undefined || isSettled(item) ? undefined : item;
}

function isDeadClick({ action, status, evidence }: PastCommand): boolean {
  if (action !== 'CLICK_ELEMENT' || status !== 'done' || evidence?.kind !== 'observed') return false;
  const { dialogs, navigations, downloads = [], effects = [] } = evidence;
  const isQuiet = [dialogs, navigations, downloads, effects].every(({ length }) => length === 0);
  return isQuiet && requestsIn(evidence).length === 0 && evidence.urlBefore === evidence.urlAfter;
}

/** What gets the focus, scrolls the page or was chosen before may read the same after a click. */
function isSettled({ role, node }: Item): boolean {
  const isChosen = [node?.checked, node?.selected, node?.pressed].includes(true);
  return isChosen || role === 'link' || (EDITABLE as readonly string[]).includes(role);
}

/** What was to be expanded or collapsed, and says itself that it is not, after the last command. */
function deadExpansion(request: DecisionRequest, page: Page, actions: readonly Action[]): string | undefined {
  const last = request.pastIterations.at(-1);
  const index = last === undefined ? -1 : (notesOf(last).plan.at(-1) ?? -1);
  const intent = actions[index]?.intent;
  if (intent?.kind !== 'expand' || !isDoneNow(last, index)) return undefined;
  const found = find(page, intent.target, TO_CLICK);
  const item = found.kind === 'one' ? expandableOf(found.item) : undefined;
  if (item?.node?.expanded === undefined || item.node.expanded === intent.expanded) return undefined;
  const said = intent.expanded ? 'expanded' : 'collapsed';
  return `${describeItem(item)} was clicked, and ${describePage(request)} shows that it is not ${said}.`;
}

/** A value that the page took back or cut, after the last action that may have changed the page. */
function lostValue(request: DecisionRequest, page: Page, actions: readonly Action[]): string | undefined {
  const since = actions.findLastIndex(({ intent }) => mayChangePage(intent)) + 1;
  for (const [index, action] of actions.entries()) {
    if (index < since || !isDoneNow(request.pastIterations.at(-1), index)) continue;
    const resolution = resolve(action, page, actions[index - 1]);
    const item = resolution.kind === 'commands' ? resolution.target : undefined;
    if (item === undefined || keeps(item, action.intent)) continue;
    const now = BOXES.includes(item.role) ? (item.node?.checked === true ? 'checked' : 'not checked') : shownIn(item);
    return `“${truncate(action.said)}” was done, and ${describeItem(item)} did not keep it: it is ${now} now on ${describePage(request)}.`;
  }
  return undefined;
}

function isDoneNow(last: PastIteration | undefined, index: number): boolean {
  const outcomes = last === undefined ? [] : last.outcomes.filter((_, at) => notesOf(last).plan[at] === index);
  return (
    outcomes.length > 0 && outcomes.every(({ status, evidence }) => status === 'done' && evidence?.kind === 'observed')
  );
}

const BOXES: readonly string[] = ['checkbox', 'radio', 'switch'];

function keeps(item: Item, intent: Intent): boolean {
  if (intent.kind === 'check') return !BOXES.includes(item.role) || (item.node?.checked === true) === intent.checked;
  if (intent.kind === 'choose') return keepsChoice(item, intent);
  const text = intent.kind === 'type' ? intent.text : intent.kind === 'set' ? intent.value : undefined;
  return text === undefined || keepsText(item, text);
}

/** Fields write what they got in their own way, so only an empty one and a beginning are another value. */
function keepsText(item: Item, text: string): boolean {
  const names = [item.label, ...item.hints].join(' ');
  if (!['textbox', 'searchbox'].includes(item.role) || text.includes('${') || /pass|secret|pin\b|code/i.test(names))
    return true;
  const [shown, wanted] = [valueOf(item), text].map((each) =>
    (each.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? []).join(''),
  );
  return shown === wanted || !wanted!.startsWith(shown!);
}

function valueOf({ node, children }: Item): string {
  return node?.text ?? node?.value ?? children.map(({ text }) => text).join(' ');
}

function shownIn(item: Item): string {
  const chosen = item.children.filter(({ node }) => node?.selected === true).map(({ label }) => label);
  const value = chosen.length > 0 ? chosen.join(', ') : valueOf(item);
  return value === '' ? 'empty' : `“${truncate(value)}”`;
}

/** Only a list that shows its options shows which of them is chosen. */
function keepsChoice(item: Item, { alternatives }: Intent & { kind: 'choose' }): boolean {
  const options = item.children.filter(({ role }) => role === 'option');
  const chosen = options.filter(({ node }) => node?.selected === true);
  const isNamed = (option: Item): boolean =>
    alternatives.some((each) => each.option.toLowerCase() === option.label.toLowerCase());
  return chosen.length === 0 || !options.some(isNamed) || chosen.some(isNamed);
}
