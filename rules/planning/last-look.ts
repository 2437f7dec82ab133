import { CommandAction } from '../../contracts/commands/commands';
import type { DecisionRequest } from '../../contracts/model-port/port';
import type { Action } from '../language/intent';
import { isVerb, stemsIn, wordsOf, type Word } from '../language/words';
import { leftOver } from '../matching/left-over';
import type { Page } from '../matching/page-index';
import { isMenu } from '../matching/purpose';
import { textOf } from '../matching/read-by-words';
import { openedFrom } from '../matching/read-way';
import { refused, type TargetSearch } from '../matching/resolution';
import { unmetNames } from '../matching/unmet-names';
import { READ_BY_WORDS } from './by-all-words';
import { openedBy } from './progress';

type Commands = TargetSearch & { kind: 'commands' };

/** Kinds of deeds whose words name what they act on. “Expand Pictures” presses what stands beside it. */
const NAMES_ONE = new Set([...READ_BY_WORDS].filter((kind) => kind !== 'expand'));

/** Why the commands of an action are not run after all: a last look at what they act on, whichever way its words were read. */
export function lastLook(
  request: DecisionRequest,
  page: Page,
  action: Action,
  index: number,
  resolution: Commands,
): TargetSearch | undefined {
  if (resolution.opens !== undefined) return opensOther(request, page, action, index, resolution);
  const unmet = unmetIn(request, page, action, index, resolution);
  const isOther =
    opensMenuUnsaid(action, resolution) ||
    onlyFocuses(action, resolution) ||
    typesPlace(action, resolution) ||
    typesMore(action, resolution) ||
    typesMark(action, resolution) ||
    searchesName(action, resolution) ||
    pressesAll(resolution) ||
    doesWhatIsClaimed(action, resolution);
  const left = unmet.length > 0 ? unmet : isOther ? wordsOf(textOf(action)) : [];
  return left.length === 0 ? undefined : refused(leftOver(left));
}

/** What may have what is not on the page yet is not opened in another entry than the one that a name or code is of. */
function opensOther(
  ...[request, page, action, index, resolution]: Parameters<typeof lastLook>
): TargetSearch | undefined {
  const isShown = ({ stem }: Word): boolean =>
    page.items.some(({ isHidden, label, text }) => !isHidden && stemsIn(`${label} ${text}`).includes(stem));
  const unmet = unmetIn(request, page, action, index, resolution);
  const left = unmet.filter((word) => word.isQuoted !== true && isShown(word));
  return left.length === 0 ? undefined : refused(leftOver(left));
}

/** The names of an action that nothing of its commands has. An investigation knows what a page does not write. */
function unmetIn(
  { pastIterations, investigation }: DecisionRequest,
  page: Page,
  action: Action,
  index: number,
  { commands }: Commands,
): Word[] {
  if (action.until || investigation !== undefined || !NAMES_ONE.has(action.intent.kind)) return [];
  const { used } = openedFrom(
    openedBy(index, pastIterations).map(({ key }) => key),
    action.used,
  );
  return unmetNames(page, textOf(action), commands, used);
}

/** A part of the page that holds all of it is pressed by nobody, also where it listens for the clicks on what is in it. */
const pressesAll = ({ target, commands }: Commands): boolean =>
  target !== undefined &&
  /^(?:main|document|banner|contentinfo|table|grid|rowgroup)$/.test(target.role) &&
  commands.some(({ action: deed }) => deed === CommandAction.CLICK_ELEMENT);

const CLAIM =
  /^(?!(?:if|when|whenever|where|once|as|in|should|there|it|what|which|who|how)\b)(?:the\s+)?(\p{L}+)[^,;:?]*?\s(?:is|are|was|were)\s/iu;
const PRESSES: ReadonlySet<string> = new Set(['CLICK_ELEMENT', 'SET_CHECKED']);

/** “Ann is on leave” says what is so, and presses nothing; “First name is Ada” gives a value. */
const doesWhatIsClaimed = (action: Action, { commands }: Commands): boolean => {
  const [, first] = CLAIM.exec(action.said.trim()) ?? [];
  return first !== undefined && !isVerb(first.toLowerCase()) && commands.some(({ action: deed }) => PRESSES.has(deed));
};

/** What goes on behind a value without quotes: “seats to 10, no save yet”. */
const GOES_ON = /^\S+,\s+(?:and|but|no|not|do|don['’]?t|without|nothing|then|please|so|as|because|yet|only)\b/i;

/** “add dish: pea soup, tues, 1.60, veg”: what several fields get. */
const LISTS_VALUES = /^\p{L}+(?:\s+\p{L}+){0,3}:\s/u;
const SEVERAL = /^[^,]{1,40}(?:,\s+[^,]{1,40}){2,}$/;

/** “on the right by: Thanks”: what stands before the value. */
const BEFORE_VALUE = /\s(?:by|with|to|into|as):\s/i;

/** “search orders 4 "harbour"”: what is in quotes is the value, and neither what stands beside it nor what goes on behind one. */
const typesMore = ({ said }: Action, { commands }: Commands): boolean => {
  const quoted = [...said.matchAll(/["“]([^"”]*)["”]|'([^']*)'/g)].map(([, one, other]) => (one ?? other)!);
  return typedBy(commands).some(
    (text) =>
      !quoted.some((value) => value.includes(text)) &&
      (GOES_ON.test(text) ||
        BEFORE_VALUE.test(text) ||
        (LISTS_VALUES.test(said.trim()) && SEVERAL.test(text)) ||
        (said.includes(text) && /["“][^"”]+["”]/.test(text))),
  );
};

const SEARCHES: ReadonlySet<string> = new Set(['search', 'reveal', 'words']);

/** “find addr mill lane” in the field “Find address”: its name is not searched for. */
const searchesName = ({ intent, said }: Action, { target, commands }: Commands): boolean => {
  if (target === undefined || !SEARCHES.has(intent.kind)) return false;
  const names = wordsOf(target.label).map(({ stem }) => stem);
  return typedBy(commands).some((text) => {
    const [first = '', ...others] = text.toLowerCase().split(/\s+/);
    const isQuoted = ['"', '“', "'"].some((quote) => said.includes(quote + text));
    return others.length > 0 && first.length > 2 && !isQuoted && names.some((name) => name.startsWith(first));
  });
};

/** “the row whose plate is "MM69"”, without a verb. */
const MARK = /^(?:the\s+)?(\p{L}+)(?:\s+\p{L}+){0,2}\s+(?:whose|in which|where the)\b/iu;

/** “click Reopen in the row whose plate is "MM69"” gives no plate to anything. */
const typesMark = ({ said }: Action, { commands }: Commands): boolean => {
  const [, first] = MARK.exec(said.trim()) ?? [];
  return first !== undefined && !isVerb(first.toLowerCase()) && typedBy(commands).length > 0;
};

const typedBy = (commands: Commands['commands']): string[] =>
  commands.flatMap(({ action, parameters: { text } }) =>
    action === CommandAction.INPUT_TEXT && text !== undefined ? [text] : [],
  );

const SAYS_MENU = /\b(?:menu|dots?|points|options?|actions?|more|settings)\b|[…⋯⋮☰]|\.{3}/i;

/** “Open the application form”: a menu that may have it is no form. */
const opensMenuUnsaid = (action: Action, { target, commands }: Commands): boolean =>
  target !== undefined &&
  target.role === 'button' &&
  isMenu(target) &&
  action.intent.kind === 'click' &&
  commands.every(({ action: deed }) => deed === CommandAction.CLICK_ELEMENT) &&
  !SAYS_MENU.test(action.said) &&
  !stemsIn(target.label).every((stem) => stemsIn(action.said).includes(stem));

const FOCUSES =
  /^(?:click|tap|press|hit|focus|select|choose|activate|(?:put|set|move|place)\s+(?:the\s+)?(?:cursor|focus))\b/i;

/** “add tag rivers” is not done by a click into the field for tags. */
const onlyFocuses = (action: Action, { target, commands }: Commands): boolean =>
  target !== undefined &&
  /^(?:textbox|searchbox|spinbutton)$/.test(target.role) &&
  commands.every(({ action: deed }) => deed === CommandAction.CLICK_ELEMENT) &&
  !FOCUSES.test(textOf(action));

/** Words of a place, and no value: “church in the field for the street”. */
const PLACE =
  /^(?:in|into|on|at|after|by|for|with|from|to)\s|\b(?:in|into|on|at|of)\s+the\b|\b(?:field|box|column|list|table|dropdown)\b/i;
const MOST_WORDS = 5;

/** A few words that are typed without quotes, of which some say where. */
const typesPlace = (action: Action, { target, commands }: Commands): boolean =>
  target?.node?.states?.includes('multiline') !== true &&
  commands.some(({ action: deed, parameters: { text = '' } }) => {
    const isSaid = deed === CommandAction.INPUT_TEXT && text.split(/\s+/).length <= MOST_WORDS && PLACE.test(text);
    return (
      isSaid &&
      !new RegExp(
        `["“']${text.replace(/[^\p{L}\p{N} ]/gu, '.')}["”']|:\\s*${text.replace(/[^\p{L}\p{N} ]/gu, '.')}`,
        'iu',
      ).test(action.said)
    );
  });
