import { CommandAction, type AIGeneratedCommand } from '../../contracts/commands/commands';
import { isHttpUrl } from '../../contracts/browsers/origins';
import * as acts from './element-commands';
import { entryNamedBy } from './entry';
import type { Description } from '../language/description';
import { bestMatches, find, findEvery, type Found } from './find';
import type { Action, Intent } from '../language/intent';
import { isInside, itemsInside, nearestNamed, type Item, type Page } from './page-index';
import { TO_CLICK, TO_SEE, TO_SET, TO_TYPE, type Purpose } from './purpose';
import { absent, commandsOnly, refused, several, commandsOn, type TargetSearch } from './resolution';
import { resolveChoice, resolveEach, resolveSetting } from './resolve-choice';
import { resolveCount } from './resolve-count';
import { resolveChecks, resolveExpansion, resolveNothing } from './resolve-states';
import { claimOfEntry } from './claim-of-entry';
import { readByWords, textOf } from './read-by-words';
import { resolveClick } from './resolve-click';
import { resolveReveal } from './resolve-reveal';
import { resolveSave } from './resolve-save';
import { resolveSearch } from './resolve-search';
import { resolveTab } from './resolve-tab';
import { resolveDrag, resolveDrop, resolveGesture, resolveMenu, resolveUpload } from './resolve-gesture';
import { findValue } from './find-value';
import { stemsIn, wordsOf } from '../language/words';
import { fitOf } from './by-words';
import { asOnPage } from './page-words';
import { containsText } from '../page-text/contains-text';

/** Resolves one action to commands on the page as it is now, or to the reason why there are none. */
export function resolve(action: Action, page: Page, previous?: Action): TargetSearch {
  const { intent } = action;
  switch (intent.kind) {
    case 'open':
      return open(intent.url, page);
    case 'reload':
      if (!isHttpUrl(page.url)) return refused('There is no page to reload yet.');
      return commandsOnly({ action: 'RELOAD_PAGE', parameters: {} });
    case 'back': {
      const buttons = page.items.filter(
        (item) =>
          item.role === 'button' &&
          BACK.test(item.label.trim()) &&
          item.node?.ref &&
          !item.isHidden &&
          item.node.disabled !== true,
      );
      return buttons.length === 1
        ? commandsOn(buttons[0]!, acts.click(buttons[0]!))
        : commandsOnly({ action: 'GO_BACK', parameters: {} });
    }
    case 'click':
      return resolveClick(page, intent.target);
    case 'point':
      return resolveGesture(page, intent);
    case 'drag':
      return resolveDrag(page, intent);
    case 'upload':
      return resolveUpload(page, intent);
    case 'drop-files':
      return resolveDrop(page, intent);
    case 'menu':
      return resolveMenu(page, intent);
    case 'press':
      return press(intent, page, previous);
    case 'type':
      return intent.target ? resolveTyping(page, intent.target, intent.text) : typeHere(page, intent.text, previous);
    case 'set-each':
      return resolveEach(page, intent);
    case 'set':
      return resolveSetting(page, intent.target, intent.value);
    case 'search':
      return resolveSearch(page, intent);
    case 'choose':
      return resolveChoice(page, intent);
    case 'check':
      return resolveChecks(page, intent);
    case 'choose-nothing':
      return resolveNothing(page, intent);
    case 'expand':
      return resolveExpansion(page, intent);
    case 'reveal':
      return resolveReveal(page, intent);
    case 'words':
      return readByWords(page, action) ?? absent({ said: action.said, isQuoted: false, readings: [] }, TO_CLICK);
    case 'either':
      return either(intent.intents.map((each) => resolve({ ...action, intent: each }, page, previous)));
    case 'save':
      return resolveSave(intent, page);
    case 'expect-element':
      return expectElement(intent, page);
    case 'claim':
      return claimOfEntry(page, textOf(action)) ?? absent({ said: action.said, isQuoted: false, readings: [] }, TO_SEE);
    case 'expect-count':
      return resolveCount(page, intent) ?? resolve({ ...action, intent: intent.otherwise }, page);
    case 'tab':
      return resolveTab(intent, page);
    case 'scroll':
      return scroll(intent, page);
    case 'scroll-until':
      return scrollUntil(intent, page);
    default:
      return commandsOnly(withoutElement(intent));
  }
}

/** The first that can be done; where none can, the first that is ambiguous, then the first that is absent. */
function either(resolutions: readonly TargetSearch[]): TargetSearch {
  const best = ['commands', 'several', 'refused', 'absent'].flatMap((kind) =>
    resolutions.filter((each) => each.kind === kind),
  );
  return best[0] ?? refused('Nothing of this can be done.');
}

function resolveTyping(page: Page, target: Description, text: string): TargetSearch {
  if (target.every === undefined) {
    const typed = resolveSetting(page, target, text);
    // "clear completed" may be the name of a button.
    const button =
      text === '' && typed.kind === 'absent'
        ? find(page, { ...target, readings: [{ name: `clear ${target.said}`, isExact: true }] }, TO_CLICK)
        : undefined;
    return button?.kind === 'one' ? commandsOn(button.item, acts.click(button.item)) : typed;
  }
  const fields = findEvery(page, target, TO_TYPE);
  if (fields === undefined)
    return refused(`“${target.said}” means two fields, and the page does not have two of them.`);
  return fields[0] ? commandsOn(fields[0], ...fields.map((field) => acts.type(field, text))) : absent(target, TO_TYPE);
}

/** The way back of a page with several steps. */
const BACK = /^(?:[‹«←<]\s*)?(?:back|previous(?: (?:page|step))?)$/i;

const WITHOUT_ELEMENT = {
  expect: 'EXPECT',
  wait: 'WAIT_FOR',
  forward: 'GO_FORWARD',
  'open-tab': 'OPEN_TAB',
  'close-tab': 'CLOSE_TAB',
  dialog: 'HANDLE_DIALOG',
  dom: CommandAction.GET_DOM,
  viewport: 'SET_VIEWPORT',
  pdf: 'SAVE_PDF',
  geolocation: 'SET_GEOLOCATION',
  permissions: 'SET_PERMISSIONS',
  'http-credentials': 'SET_HTTP_CREDENTIALS',
} as const;

/** The command of an intent without an element: the intent's members are the command's parameters. */
function withoutElement(intent: Intent & { kind: keyof typeof WITHOUT_ELEMENT }): AIGeneratedCommand {
  const { kind, ...parameters } = intent;
  return { action: WITHOUT_ELEMENT[kind], parameters };
}

function on(page: Page, target: Description, purpose: Purpose, act: (item: Item) => AIGeneratedCommand): TargetSearch {
  const found = find(page, target, purpose);
  if (found.kind === 'none') return absent(target, purpose);
  return found.kind === 'several' ? several(target, found.items) : commandsOn(found.item, act(found.item));
}

function open(url: string, page: Page): TargetSearch {
  const address = !url.startsWith('/')
    ? url
    : isHttpUrl(page.url) && URL.canParse(url, page.url)
      ? new URL(url, page.url).href
      : undefined;
  if (address !== undefined) return commandsOnly({ action: CommandAction.OPEN_PAGE, parameters: { url: address } });
  return refused(`“${url}” is a path of a site, and no site is open yet; start with: open https://…`);
}

function press(intent: Intent & { kind: 'press' }, page: Page, previous: Action | undefined): TargetSearch {
  const { key, target, orClick } = intent;
  if (orClick && find(page, orClick, TO_CLICK).kind !== 'none') return on(page, orClick, TO_CLICK, acts.click);
  if (target) {
    const purpose = find(page, target, TO_TYPE).kind === 'none' ? TO_CLICK : TO_TYPE;
    return on(page, target, purpose, (item) => acts.press(item, key));
  }
  // Right after typing, the key goes to that field, wherever the focus is.
  const typed = previous?.intent.kind === 'type' ? previous.intent.target : undefined;
  const field = typed && find(page, typed, TO_TYPE);
  if (field?.kind === 'one') return commandsOn(field.item, acts.press(field.item, key));
  return commandsOnly({ action: 'PRESS_KEY', parameters: { key } });
}

/** Types without a target: into the field that has the focus, or into the only field. */
function typeHere(page: Page, text: string, previous: Action | undefined): TargetSearch {
  const entered =
    previous?.intent.kind === 'point' || previous?.intent.kind === 'click'
      ? find(page, previous.intent.target, TO_TYPE)
      : undefined;
  if (entered?.kind === 'one') return commandsOn(entered.item, acts.type(entered.item, text));
  const target: Description = { said: 'a field to type into', isQuoted: false, readings: [] };
  const fields = page.items.filter((item) => TO_TYPE.rank(item) !== undefined && !item.isHidden);
  const active = fields.filter((item) => item.node?.active);
  const usable = active.length > 0 ? active : fields.filter((item) => TO_TYPE.rank(item) === 0);
  const [field] = usable;
  if (field === undefined) return absent(target, TO_TYPE);
  return usable.length > 1 ? several(target, usable) : commandsOn(field, acts.type(field, text));
}

function expectElement(intent: Intent & { kind: 'expect-element' }, page: Page): TargetSearch {
  const { target, text, absent: isAbsent, orText, state, matchCase } = intent;
  const found = state === undefined ? findValue(page, target, text) : findControl(page, target);
  if (found.kind === 'several') return several(target, found.items);
  const isOther =
    found.kind === 'one' &&
    orText !== undefined &&
    intent.isMessage === true &&
    !containsText(found.item.text, text ?? '');
  const entry = found.kind === 'one' && intent.ofEntry === true ? entryNamedBy(page, found.item, target) : undefined;
  const said = found.kind === 'one' ? (entry ?? found.item) : undefined;
  if (said !== undefined && !isOther && !holdsSeveral(page, said)) {
    const parameters = {
      ...(text !== undefined && { text }),
      ...(isAbsent && { absent: isAbsent }),
      ...(state && { state }),
      ...(matchCase && { matchCase }),
    };
    return commandsOn(said, acts.expect(said, parameters));
  }
  for (const lookIn of text === undefined || isAbsent ? [] : [textNear, textPlaced]) {
    const item = lookIn(page, target, text!);
    if (item && !holdsSeveral(page, item) && isUnderHeading(page, item, target.said))
      return commandsOn(item, acts.expect(item, { text: text! }));
  }
  if (orText === undefined) return absent(target, TO_SEE);
  return commandsOnly({ action: 'EXPECT', parameters: { text: orText } });
}

/** A part without a name that holds namesakes is several entries, and not the one that is named. */
function holdsSeveral(page: Page, part: Item): boolean {
  if (part.role !== 'generic' || part.node?.name !== undefined) return false;
  const labels = itemsInside(page, part).flatMap((item) => {
    const isNamed = item.node?.name !== undefined || TO_CLICK.rank(item) !== undefined;
    return item !== part && isNamed && item.children.length <= 1 && item.label !== '' ? item.label : [];
  });
  return new Set(labels).size < labels.length;
}

/** The title of the page may have the word for a part of it: “Inkwell Print” is not the column “Printing”, where that has a heading. */
function isUnderHeading(page: Page, item: Item, said: string): boolean {
  const stems = wordsOf(said, false).map(({ stem }) => stem);
  const headings = page.items.filter(
    ({ role, text, isHidden }) => role === 'heading' && !isHidden && stemsIn(text).some((stem) => stems.includes(stem)),
  );
  const isUnder = ({ parent }: Item): boolean => parent !== undefined && isInside(item, parent);
  return headings.length === 0 || headings.some((heading) => heading === item || isUnder(heading));
}

/** The control whose state is expected. */
function findControl(page: Page, target: Description): Found {
  const control = find(page, target, TO_SET);
  return control.kind === 'none' ? find(page, target, TO_CLICK) : control;
}

/** The text in a card or a row without a role: near what names it. */
function textNear(page: Page, target: Description, text: string): Item | undefined {
  if (!target.readings.some(({ role }) => role !== undefined && !TO_SEE_EXACTLY.test(role.roles[0] ?? '')))
    return undefined;
  const near = { isInside: true, landmark: target.readings };
  const [item] = bestMatches(page, [{ name: text, near }], TO_SEE);
  return item && nearestNamed(item);
}

/** The text in a place that the words name: “the Work list shows “3 left””. */
function textPlaced(page: Page, { said }: Description, text: string): Item | undefined {
  const words = asOnPage(page, wordsOf(said, false), true);
  const all = page.items.filter(
    (item) =>
      item.children.length <= 1 && !item.isHidden && containsText(item.text, text) && nearestNamed(item) !== undefined,
  );
  const inner = all.filter((item) => !item.children.some((child) => all.includes(child)));
  const placed = inner.filter((item) => fitOf(page, item, words, TO_SEE, true)?.left.length === 0);
  return placed.length === 1 ? nearestNamed(placed[0]!) : undefined;
}

/** Kinds that are one control, in which nothing else is looked for. */
const TO_SEE_EXACTLY =
  /^(?:button|link|textbox|searchbox|combobox|checkbox|radio|switch|slider|spinbutton|heading|img|tab)$/;

function scroll(intent: Intent & { kind: 'scroll' }, page: Page): TargetSearch {
  const { to, target } = intent;
  if (target === undefined) return commandsOnly({ action: 'SCROLL', parameters: { to } });
  const act = (item: Item): AIGeneratedCommand =>
    to === 'element' ? acts.scrollTo(item) : acts.scrollWithin(item, to);
  const field = to === 'element' ? undefined : find(page, target, TO_SET);
  return field?.kind === 'one' ? commandsOn(field.item, act(field.item)) : on(page, target, TO_SEE, act);
}

function scrollUntil({ text, target }: Intent & { kind: 'scroll-until' }, page: Page): TargetSearch {
  if (target === undefined) return commandsOnly({ action: 'SCROLL_UNTIL', parameters: { text } });
  return on(page, target, TO_SEE, (item) =>
    acts.act('SCROLL_UNTIL', item, { text }, `scroll until “${text}” shows in`),
  );
}
