import { walkNodes, type PageNode, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { plainText } from '../page-text/changes';

/** English words of messages that say that something was not done. An alert may also say that it was. */
const FAILURE =
  /\b(?:error|fail|wrong|incorrect|invalid|denied|decline|reject|refuse|forbidden|unable|unavailable|unsuccessful|expired|missing|duplicate|conflict|exceed|blocked|locked|sorry|cannot)|n['’]t\b|\b(?:(?:was|is|are|were|could|been|did) not|not (?:found|valid|allowed|enough|saved|sent|possible|available|permitted|authorized)|already (?:taken|in use|exists|used|registered)|is taken|out of stock|no longer|(?:is|are) (?:already |now )?full|at most|limit reached|over the limit|no (?:space|room|places|seats) left|must (?:be|have|not|contain|match)|required|too (?:short|long|many|large|weak|small)|try again|please (?:enter|select|choose|fill|check|provide|correct|try))\b/i;
/** “Reject the holiday of Ann?” asks for a deed, and says of none that it failed. */
const QUESTION = /[^.!?]*\b(?:reject|refuse|decline|deny|block|lock)\b[^.!?]*\?/gi;
/** Deeds that a message names as done: “#7 rejected” is what “reject order 7” asks for. */
const DEEDS: readonly (readonly [said: RegExp, done: RegExp])[] = [
  [
    /\b(?:reject|decline|deny|refuse)\b/i,
    /(?<!\b(?:was|is|were|are|be|been|not)\s+)\b(?:rejected|Rejected|declined|Declined|denied|Denied|refused|Refused)(?!\p{Ll})/gu,
  ],
  [/\b(?:duplicate|copy|clone)\b/i, /\b(?:duplicated|Duplicated)(?!\p{Ll})|^\s*(?:duplicate|Duplicate)\W*$/gu],
  [/\bblock\b/i, /\b(?:blocked|Blocked)(?!\p{Ll})/gu],
  [/\block\b/i, /\b(?:locked|Locked)(?!\p{Ll})/gu],
];

/** What was chosen may have such a name: “sent back: Wrong address”. */
const withoutChosen = (text: string, chosen: readonly string[]): string =>
  chosen.reduce((left, name) => left.replaceAll(name, ''), text);

function saysFailure(whole: string, instruction: string, chosen: readonly string[]): boolean {
  const deeds = DEEDS.filter(([said]) => said.test(instruction));
  const text = withoutChosen(whole, chosen);
  const rest = deeds.reduce((left, [, done]) => left.replace(done, ''), text.replace(QUESTION, ''));
  return FAILURE.test(rest);
}
const LONGEST_MESSAGE = 300;
const MESSAGES: readonly string[] = ['alert', 'alertdialog', 'status', 'log'];
const FIELDS: readonly string[] = ['textbox', 'searchbox', 'combobox', 'spinbutton', 'checkbox', 'radiogroup'];
/** Texts in these are no messages, whatever they look like. */
const NAMES = ['heading', 'link', 'button', 'option', 'tab', 'columnheader', 'row', 'article', 'navigation'].concat(
  FIELDS,
);

/**
 * The texts of messages that have come with the commands and say that something was not done: those that have the role of one,
 * are drawn as one, or have come behind a field that was there before. Of a document that came with a form that was sent
 * (`isNewDocument`) all are new. What the instruction asks for did not fail by being said to be done,
 * and what was `chosen` may be said again.
 */
export function failureMessages(
  snapshot: PageSnapshot,
  isNewDocument: boolean,
  instruction = '',
  chosen: readonly string[] = [],
): string[] {
  const nodes = [...walkNodes(snapshot.nodes)];
  const isAllNew = isNewDocument && !nodes.some(({ node }) => node.since !== undefined);
  return nodes.flatMap(({ node, ancestors }) => {
    const behind = textBehindField(node).filter((text) => saysFailure(text, instruction, chosen));
    if (behind.length > 0) return behind;
    if (!isMessage(node, ancestors, isAllNew)) return [];
    if (isEntry(node, ancestors.at(-1))) return [];
    const shown = withoutEntries(node);
    // A message that goes away by a click is one, and the button beside it is none of its words.
    const text = plainText(withoutButtons(shown)).trim() || plainText(shown).trim();
    const hasNews = isAllNew || isNew(node, ancestors) || within(node).some(({ since }) => since !== undefined);
    return hasNews && text.length <= LONGEST_MESSAGE && saysFailure(text, instruction, chosen) ? [text] : [];
  });
}

const isClicked = ({ cursor, acts }: PageNode): boolean =>
  cursor === 'pointer' || acts?.handles?.includes('click') === true;

const FEWEST_ENTRIES = 3;

/** One of several that are clicked offers a deed, as “Duplicate” in a menu, and says of none that it failed. */
function isEntry(node: PageNode, around: PageNode | undefined): boolean {
  const alike = (around?.children ?? []).filter((child) => typeof child !== 'string' && isClicked(child));
  return isClicked(node) && !MESSAGES.includes(node.role) && alike.length >= FEWEST_ENTRIES;
}

const withoutEntries = (node: PageNode): PageNode => without(node, isEntry);
const withoutButtons = (node: PageNode): PageNode => without(node, isClicked);

function without(node: PageNode, isLeftOut: (child: PageNode, around: PageNode) => boolean): PageNode {
  const children = node.children?.flatMap((child) =>
    typeof child === 'string' ? child : isLeftOut(child, node) ? [] : without(child, isLeftOut),
  );
  return children === undefined ? node : { ...node, children };
}

function isMessage(node: PageNode, ancestors: readonly PageNode[], isAllNew: boolean): boolean {
  if (MESSAGES.includes(node.role)) return true;
  if (NAMES.includes(node.role) || ancestors.some(({ role }) => NAMES.includes(role))) return false;
  // What holds a field says what was typed into it.
  if (within(node).some(({ role }) => FIELDS.includes(role))) return false;
  return node.isNotice === true || (!isAllNew && followsField(node, ancestors.at(-1)));
}

/** A text that has come right behind a field that was there before. */
function followsField(node: PageNode, around: PageNode | undefined): boolean {
  if (node.since !== 'new' || within(node).some(({ role }) => NAMES.includes(role))) return false;
  const siblings = around?.children ?? [];
  return isOldField(siblings[siblings.indexOf(node) - 1]);
}

/** The same, where it has no element of its own. */
function textBehindField({ since, children = [] }: PageNode): string[] {
  if (since !== 'changed') return [];
  return children.filter((child, index) => typeof child === 'string' && isOldField(children[index - 1])) as string[];
}

function isOldField(node: PageNode | string | undefined): boolean {
  if (node === undefined || typeof node === 'string') return false;
  const own = [node, ...(node.children ?? []).filter((child) => typeof child !== 'string')];
  return own.some(({ role, since }) => FIELDS.includes(role) && since !== 'new');
}

function within(node: PageNode): PageNode[] {
  return [...walkNodes(node.children ?? [])].map((each) => each.node);
}

/** Fields that are marked as invalid since the last commands, in words. */
export function invalidFields(snapshot: PageSnapshot): string[] {
  return [...walkNodes(snapshot.nodes)].flatMap(({ node, ancestors }) => {
    const { invalid = false, name = node.role } = node;
    if (invalid === false || !isNew(node, ancestors)) return [];
    return [typeof invalid === 'string' ? `“${name}”: ${invalid}` : `“${name}”`];
  });
}

export function isNew(node: PageNode, ancestors: readonly PageNode[]): boolean {
  return [node, ...ancestors].some(({ since }) => since !== undefined);
}
