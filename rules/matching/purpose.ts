import { isField, type Item } from './page-index';
import { CHECKABLE, EDITABLE, LISTS, type RoleWord } from '../language/role-words';

/** What a control is wanted for. `rank` is 0 for controls that suit best, higher for others, undefined for unsuitable ones. */
export interface Purpose {
  /** Plural, as in "The page has these buttons and links". */
  kinds: string;
  rank(item: Item): number | undefined;
  /** The roles that are suitable; without this member every role that the instruction names is. */
  only?: readonly string[];
}

const INTERACTIVE = new Set<string>([
  'button',
  'link',
  'tab',
  'menuitem',
  'option',
  'treeitem',
  'slider',
  'gridcell',
  ...CHECKABLE,
  ...EDITABLE,
]);

export const TO_CLICK: Purpose = {
  kinds: 'buttons and links',
  rank(item) {
    if (item.node?.ref && INTERACTIVE.has(item.role)) return 0;
    return item.node?.ref && (item.node.cursor === 'pointer' || item.role === 'img' || isItemInside(item))
      ? 1
      : undefined;
  },
};

/** An item of a menu that has come in a part that is clicked as a whole: the pointer is a hand anywhere in it. */
function isItemInside({ role, children, node, parent }: Item): boolean {
  if (role !== 'generic' || parent === undefined || children.some((child) => child.node !== undefined)) return false;
  const menu = node?.since === undefined ? parent.parent : parent;
  const isNew = node?.since !== undefined || parent.node?.since !== undefined;
  return isNew && [menu, menu?.parent].some((part) => part?.node?.cursor === 'pointer' && part.role === 'generic');
}

export const TO_TYPE: Purpose = {
  kinds: 'fields',
  only: [...EDITABLE, 'generic'],
  rank(item) {
    if (!item.node?.ref) return undefined;
    if ((EDITABLE as readonly string[]).includes(item.role)) return 0;
    // An editable area has no role, only a name or the focus. What is clicked like a button is none.
    const { name, active, cursor, states = [] } = item.node;
    const isArea = states.includes('editable') || active === true || (name !== undefined && cursor !== 'pointer');
    return item.role === 'generic' && isArea && item.parent ? 1 : undefined;
  },
};

export const TO_CHECK: Purpose = {
  kinds: 'checkboxes and switches',
  only: CHECKABLE,
  rank: (item) => (item.node?.ref && (CHECKABLE as readonly string[]).includes(item.role) ? 0 : undefined),
};

/** A button that shows a list of options. */
export function opensList({ role, node }: Item): boolean {
  return role === 'button' && node?.states?.includes('popup=listbox') === true;
}

export const TO_CHOOSE_FROM: Purpose = {
  kinds: 'lists',
  only: [...LISTS, 'radiogroup', 'group', 'button'],
  rank(item) {
    if (!item.node?.ref) return undefined;
    if ((LISTS as readonly string[]).includes(item.role)) return 0;
    if (opensList(item)) return 1;
    return item.role === 'radiogroup' || item.role === 'group' ? 1 : undefined;
  },
};

export const TO_CHOOSE: Purpose = {
  kinds: 'options',
  rank(item) {
    if (item.role === 'radio' || item.role === 'menuitemradio') return 0;
    if (item.role === 'option') return 1;
    return TO_CLICK.rank(item) === 0 && !isField(item) ? 2 : undefined;
  },
};

export const TO_SET: Purpose = {
  kinds: 'fields and lists',
  only: [...EDITABLE, ...LISTS, ...CHECKABLE, 'slider', 'generic'],
  rank: (item) =>
    item.role === 'slider' && item.node?.ref
      ? 0
      : (TO_TYPE.rank(item) ?? TO_CHOOSE_FROM.rank(item) ?? TO_CHECK.rank(item)),
};

export const TO_SEE: Purpose = { kinds: 'parts', rank: () => 0 };

export const TO_POINT_AT: Purpose = { kinds: 'parts', rank: ({ node }) => (node?.ref === undefined ? undefined : 0) };

/** The rank of an item for an instruction that may name its kind. */
export function rankAs(item: Item, role: RoleWord | undefined, purpose: Purpose): number | undefined {
  const rank = purpose.rank(item);
  if (role === undefined) return rank;
  if (purpose.only) {
    if (rank === undefined) return undefined;
    // A kind without suitable roles is ignored: "type x into the Notes area".
    if (!role.roles.some((kind) => purpose.only?.includes(kind))) return rank;
    return role.roles.includes(item.role) ? 0 : role.otherwise?.includes(item.role) ? 1 : undefined;
  }
  // An option of a closed list cannot be clicked.
  if (purpose === TO_CLICK && !item.node?.ref) return undefined;
  if (role.roles.includes(item.role)) return isHeaderRow(item) ? undefined : 0;
  const isClicked = item.node?.cursor === 'pointer';
  // What people call a button or an icon may be an entry or a part that is clicked.
  if (
    purpose === TO_CLICK &&
    isClicked &&
    /^(?:generic|listitem)$/.test(item.role) &&
    CLICKED_KINDS.test(role.roles[0] ?? '')
  )
    return 1;
  return (item.role !== 'generic' || isClicked) && role.otherwise?.includes(item.role) ? 1 : undefined;
}

const CLICKED_KINDS = /^(?:button|link|img|tab|menuitem|listitem|option)$/;

/** The row of column headers does not count as a row. */
function isHeaderRow(item: Item): boolean {
  return item.role === 'row' && item.children.length > 0 && item.children.every((cell) => cell.role === 'columnheader');
}

const MENU =
  /^(?:more(?: (?:actions|options))?|actions|options|menu|(?:row|open)? ?(?:actions?|menu)|[…⋯⋮•.︙☰]{1,3})$/i;

/** “More” that adds one is no menu. */
const STEPS = /^[+＋−–-]$/;

/** Whether a control opens a menu, by its name or its state. */
export const isMenu = ({ role, label, hints, node, text }: Item): boolean =>
  (role !== 'columnheader' &&
    !STEPS.test(text.trim()) &&
    [label, ...hints].some((name) => MENU.test(name.trim()) || /\b(?:actions|options|menu)\b|^more\b/i.test(name))) ||
  node?.states?.includes('popup') === true;

/** What a list of the page's own making is called that shows its options once it is opened. */
export const CLOSED_LIST =
  /^(?:choose|select|pick)\s+(?:an?|the|your|one|from)\b|^(?:choose|select|pick)\b.*…$|[▾▼⌄˅]\s*$/i;
