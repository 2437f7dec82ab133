import type { Description } from '../language/description';
import { isVerb, stemsIn } from '../language/words';
import { containsText } from '../page-text/contains-text';
import { normal } from './name-match';
import { headingsOf } from './table-cells';
import { ancestors, isField, isInside, type Item, type Page } from './page-index';

/** Where a control is on its page: the words of its own entry, and those of what stands above it. */
export interface Surroundings {
  own: ReadonlySet<string>;
  entry: ReadonlySet<string>;
  section: ReadonlySet<string>;
  /** The parts that make up the entry, and the list that the entry is one of. */
  parts: readonly Item[];
  list: Item | undefined;
  ownText: string;
  entryText: string;
  sectionText: string;
}

const ENTRY = /^(?:row|listitem|article|treeitem)$/;
const LIST = /^(?:table|grid|treegrid|list|tree|rowgroup|feed)$/;
const NAMED =
  /^(?:region|group|form|dialog|alertdialog|table|grid|list|navigation|tabpanel|radiogroup|complementary|menu|toolbar|article)$/;
const TABLE = /^(?:table|grid|treegrid)$/;
const CONTROL = /^(?:button|checkbox|radio|switch|menuitem)$/;

const known = new WeakMap<Page, Map<Item, Surroundings>>();

/** The surroundings of a control, by the structure of the page. */
export function surroundingsOf(page: Page, control: Item): Surroundings {
  const all = known.get(page) ?? new Map<Item, Surroundings>();
  known.set(page, all);
  const found = all.get(control);
  if (found) return found;
  const parts = entryParts(page, control);
  const columns = isField(control) || /^(?:checkbox|radio|switch)$/.test(control.role) ? columnOf(page, control) : [];
  const ownText = [control.label, ...control.hints, isField(control) ? '' : control.text, ...columns].join(' ');
  const entryText = parts.map((part) => textWithout(part, control)).join(' ');
  const sectionText = sectionsOf(page, control).join(' ');
  const made: Surroundings = {
    own: new Set(stemsIn(ownText)),
    entry: new Set(stemsIn(entryText)),
    section: new Set(stemsIn(sectionText)),
    parts,
    list: [...ancestors(parts[0] ?? control)].find(({ role }) => LIST.test(role)) ?? parts[0]?.parent,
    ownText,
    entryText,
    sectionText,
  };
  all.set(control, made);
  return made;
}

/**
 * The parts of the page that make up the entry of a control: the row or list item that holds it and no namesake, else the
 * largest part without a namesake, else its neighbours up to the next namesake.
 */
function entryParts(page: Page, control: Item): Item[] {
  const namesakes = namesakesOf(page, control);
  const has = (part: Item): boolean => namesakes.some((other) => isInside(other, part));
  const free = [control];
  for (const above of ancestors(control)) {
    if (has(above) || above.parent === undefined) break;
    free.push(above);
  }
  const entry = free.findLast((part) => ENTRY.test(part.role));
  if (entry) return [entry];
  // What holds several entries, or a whole text, is none itself: a toolbar says nothing of what is listed below it.
  const small = free.filter((part) => part === control || isSmall(page, part, control));
  const largest = small.at(-1)!;
  if (namesakes.length === 0) {
    const near = small.find((part) => part !== control && saysMore(part, control)) ?? control;
    return [besideOthers(page, control, near) ?? near];
  }
  return saysMore(largest, control) ? [largest] : neighbours(largest, namesakes);
}

/** The entry of what stands beside a control and has namesakes: of a card the only “Finish” is beside “Call”, which all cards have. */
function besideOthers(page: Page, control: Item, near: Item): Item | undefined {
  const group = near === control ? control.parent : near;
  if (group === undefined) return undefined;
  const beside = page.items.slice(group.index + 1, group.last + 1);
  for (const other of beside) {
    if (other === control || other.label === '' || !CLICKED.test(other.role) || other.node?.ref === undefined) continue;
    if (namesakesOf(page, other).length === 0) continue;
    const [part, ...more] = entryParts(page, other);
    if (more.length === 0 && part !== undefined && part !== near && isInside(near, part)) return part;
  }
  return undefined;
}

const CLICKED = /^(?:button|link|generic)$/;
const NAMES_NOTHING = /^(?:button|checkbox|radio|switch|option|tab|menuitem)$/;

/** The entry of what only names it, such as the row of the cell “Order 7”. */
export function entryNamedBy(page: Page, item: Item, { readings }: Description): Item | undefined {
  const isNamed = readings.some(({ name }) => name !== undefined && containsText(item.text, name));
  if (!isNamed || isField(item) || NAMES_NOTHING.test(item.role)) return undefined;
  const [entry] = surroundingsOf(page, item).parts;
  return entry?.node?.ref === undefined ? undefined : entry;
}

/** The headings of the column in which a control stands. */
function columnOf(page: Page, control: Item): string[] {
  const cell = [control, ...ancestors(control)].find(({ role }) => /^(?:cell|gridcell)$/.test(role));
  return cell === undefined ? [] : headingsOf(page, cell);
}

function namesakesOf(page: Page, control: Item): Item[] {
  const name = normal(control.label);
  return page.items.filter(
    (other) =>
      other.role === control.role &&
      other.node?.ref !== undefined &&
      !isInside(other, control) &&
      !isInside(control, other) &&
      normal(other.label) === name,
  );
}

const MOST_WORDS = 60;

function isSmall(page: Page, part: Item, control: Item): boolean {
  const inside = page.items.slice(part.index + 1, part.last + 1);
  return (
    inside.filter(({ role }) => ENTRY.test(role)).length < 2 &&
    !holdsEntries(inside) &&
    stemsIn(textWithout(part, control)).length <= MOST_WORDS
  );
}

const MOST_ALIKE = 2;

/** Buttons of one name, one for each of several entries. */
function holdsEntries(inside: readonly Item[]): boolean {
  const buttons = inside.filter(
    ({ role, label, node }) => role === 'button' && label !== '' && node?.ref !== undefined,
  );
  return [...Map.groupBy(buttons, ({ label }) => normal(label)).values()].some(({ length }) => length > MOST_ALIKE);
}

const saysMore = (part: Item, control: Item): boolean => stemsIn(textWithout(part, control)).length > 0;

/** Neighbours of a control whose texts are its siblings: a text stands before its button, unless none does. */
function neighbours(control: Item, namesakes: readonly Item[]): Item[] {
  const siblings = control.parent?.children ?? [control];
  const isBorder = (item: Item): boolean => namesakes.some((other) => isInside(other, item));
  const isHeading = ({ role }: Item): boolean => role === 'heading';
  const at = siblings.indexOf(control);
  const before = siblings.slice(0, at);
  const after = siblings.slice(at + 1);
  const border = before.findLastIndex((item) => isBorder(item) || isHeading(item));
  const from = border >= 0 && isHeading(before[border]!) ? border : border + 1;
  const until = after.findIndex((item) => isBorder(item) || isHeading(item));
  const behind = until === -1 ? after : after.slice(0, until);
  const first = siblings.findIndex(isBorder);
  const leads = first === -1 ? at : Math.min(first, at);
  const textsLead = siblings.slice(0, leads).some((item) => !isHeading(item) && item.text.trim() !== '');
  if (!textsLead) return [control, ...behind];
  const controlsBehind = behind.findIndex((item) => !CONTROL.test(item.role));
  return [...before.slice(from), control, ...behind.slice(0, controlsBehind === -1 ? behind.length : controlsBehind)];
}

/**
 * The words of a part, without the control's own and without other buttons, except one that the entry is called by: it
 * leads the entry, or is its heading, and has no verb.
 */
function textWithout(part: Item, control: Item | undefined, leads = ENTRY.test(part.role)): string {
  if (part === control) return '';
  if (CONTROL.test(part.role)) return leads && part.role === 'button' && isTitle(part) ? part.label : '';
  if (part.children.length === 0)
    return [part.label, part.text === part.label ? '' : part.text, ...part.hints].join(' ');
  const named = part.node?.name !== undefined && !part.text.includes(part.node.name) ? part.node.name : '';
  // A listener on what is around it shows the control, whose words stand in the text of the entry already.
  const own = `${named} ${(part.node?.text ?? '').replace(control?.label || /$^/, '')}`;
  // The options of another list are no words of this entry until one of them is chosen.
  const shown = part.role === 'combobox' ? part.children.filter(({ node }) => node?.selected === true) : part.children;
  const first = shown.find(({ label, text }) => label !== '' || text !== '');
  const isLed = (child: Item): boolean => child.role === 'heading' || (leads && child === first);
  return [own, ...shown.map((child) => textWithout(child, control, isLed(child)))].join(' ');
}

/** What an entry says of itself: without what is clicked in it, but for what it is called by. */
export function textOfEntry(part: Item, leads = ENTRY.test(part.role)): string {
  const isClicked = part.role === 'generic' && part.node?.cursor === 'pointer' && part.children.length <= 1;
  if (CONTROL.test(part.role) || isClicked) return leads && isTitle(part) ? part.label : '';
  if (part.children.length === 0) return textWithout(part, undefined, leads);
  const own = part.node?.name !== undefined && !part.text.includes(part.node.name) ? part.node.name : '';
  const shown = part.role === 'combobox' ? part.children.filter(({ node }) => node?.selected === true) : part.children;
  const first = shown.find(({ label, text }) => label !== '' || text !== '');
  const isLed = (child: Item): boolean => child.role === 'heading' || (leads && child === first);
  return [own, ...shown.map((child) => textOfEntry(child, isLed(child)))].join(' ');
}

const isTitle = ({ label }: Item): boolean =>
  /\p{L}{2}/u.test(label) && !isVerb(/\p{L}+/u.exec(label)![0].toLowerCase());

/** What stands above a control: headings, names of the parts around it, and titles. */
function sectionsOf(page: Page, control: Item): string[] {
  const said: string[] = [page.title];
  let inner = control;
  for (const above of ancestors(control)) {
    if (NAMED.test(above.role) && above.node?.name) said.push(above.node.name);
    if (/^(?:table|grid|treegrid)$/.test(above.role))
      said.push(
        ...page.items
          .slice(above.index, above.last + 1)
          .filter(isHead)
          .map(({ text }) => text),
      );
    said.push(...titlesBefore(above, inner));
    inner = above;
  }
  return said;
}

const isHead = ({ role }: Item): boolean => role === 'caption';

/**
 * The nearest heading of each level before a part, and a text that begins its parent like a title. A card before a card has its
 * own heading, as this one has.
 */
function titlesBefore(parent: Item, part: Item): string[] {
  const before = parent.children.slice(0, parent.children.indexOf(part));
  const own = headingIn(part)?.node?.level;
  let level = 7;
  const titles: string[] = [];
  for (const sibling of before.toReversed()) {
    const heading = headingIn(sibling);
    if (heading && heading !== sibling && part.role !== 'heading' && heading.node?.level === own) continue;
    if (heading && (heading.node?.level ?? 1) < level) {
      titles.push(heading.text);
      level = heading.node?.level ?? 1;
    }
  }
  // “◀ March 2025 ▶”: the only text of a bar before a table is its title.
  const bar =
    titles.length === 0 && TABLE.test(part.role)
      ? before.at(-1)?.children.filter((child) => !CONTROL.test(child.role))
      : undefined;
  if (bar?.length === 1 && bar[0]!.text.trim() !== '' && bar[0]!.text.length <= 60 && bar[0]!.children.length <= 1)
    return [bar[0]!.text];
  const [first] = before;
  const isTitle = first && titles.length === 0 && first.children.length === 0 && first.text.length <= 60;
  return isTitle && !CONTROL.test(first.role) ? [first.text] : titles;
}

/** The heading that a sibling is, or that it holds with nothing but a few controls. */
function headingIn(item: Item): Item | undefined {
  if (item.role === 'heading') return item;
  if (ENTRY.test(item.role) || LIST.test(item.role) || item.text.length > 160) return undefined;
  return item.children.map(headingIn).find((heading) => heading !== undefined);
}
