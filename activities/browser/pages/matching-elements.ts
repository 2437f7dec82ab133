import { walkNodes, type PageSnapshot, type PageNode } from '../../../contracts/browsers/page-snapshot';
import { goalWords } from '../../../rules/page-text/goal-words';
import { placeWords } from '../../../rules/page-text/place-words';
import { nodeText } from '../../../rules/page-text/node-text';

const MAX_MATCHES = 20;
/** What people call an element, and the matching roles. */
const ROLES_OF_WORDS: [RegExp, readonly string[]][] = [
  [/\b(?:buttons?|submit)\b/i, ['button']],
  [/\blinks?\b/i, ['link']],
  [/\b(?:search (?:bar|box|field)|searchbox)\b/i, ['searchbox', 'textbox', 'combobox']],
  [/\b(?:fields?|inputs?|textbox|text box|text ?area)\b/i, ['textbox', 'searchbox', 'spinbutton', 'combobox']],
  [/\b(?:check ?box(?:es)?|tick)\b/i, ['checkbox', 'switch']],
  [/\b(?:radio|choice)s?\b/i, ['radio']],
  [/\b(?:drop ?downs?|select|list box|combo ?box)\b/i, ['combobox', 'listbox']],
  [/\btabs?\b/i, ['tab']],
  [/\bmenu\b/i, ['menuitem', 'menu', 'menubar']],
  [/\b(?:images?|pictures?|icons?|logo)\b/i, ['img', 'image']],
  [/\b(?:headings?|titles?|headlines?)\b/i, ['heading']],
  [/\b(?:tables?)\b/i, ['table']],
  [/\b(?:rows?)\b/i, ['row']],
];
const ROLE_WORDS = new Set(
  'button buttons link links field fields input textbox checkbox radio dropdown select list tab tabs menu image icon logo heading title table row submit box text bar'.split(
    ' ',
  ),
);

interface Match {
  line: string;
  /** What its row, card or group says, and the named part of the page around it; empty without either. */
  within: string;
}

/** Finds the elements that a plain description means, the most likely first. */
export function findMatchingElements(snapshot: PageSnapshot, query: string): Match[] {
  const roles = new Set(ROLES_OF_WORDS.flatMap(([pattern, meant]) => (pattern.test(query) ? meant : [])));
  const words = [...new Set([...goalWords([query]), ...query.toLowerCase().split(/[^\p{L}\p{N}]+/u)])].filter(
    (word) => word.length > 1 && !ROLE_WORDS.has(word) && !STOP_WORDS.has(word),
  );
  const scored = [...walkNodes(snapshot.nodes)].flatMap(({ node, ancestors }) => {
    if (node.ref === undefined || node.omitted !== undefined) return [];
    const score = scoreOf(node, ancestors, words, roles);
    return score <= 0 ? [] : [{ node, ancestors, score }];
  });
  scored.sort((one, other) => other.score - one.score);
  const places = placeWords(snapshot.nodes);
  return scored.slice(0, MAX_MATCHES).map(({ node, ancestors }) => ({
    line: nodeText(node),
    within: [places.get(node)?.words, namedContainer(ancestors)].filter((part) => part).join(', '),
  }));
}

const STOP_WORDS = new Set('the of for to in on with and or an is that this my me which where all any'.split(' '));

function scoreOf(
  node: PageNode,
  ancestors: readonly PageNode[],
  words: readonly string[],
  roles: ReadonlySet<string>,
): number {
  const isRole = roles.has(node.role);
  const own = ownText(node).toLowerCase();
  const own100 = words.filter((word) => own.includes(word)).length * 10;
  if (words.length === 0) return isRole ? 5 : 0;
  // In “the button of the red shoes” some words may be in the text around the element.
  const around = ancestors.slice(-3).map((ancestor) => deepText(ancestor, 400).toLowerCase());
  // The whole list has the words of each of its rows: what stands nearer counts more.
  const nearness = (word: string): number => {
    const at = own.includes(word) ? -1 : around.findLastIndex((text) => text.includes(word));
    return at === -1 ? 0 : 4 + (at - around.length + 3) / 2;
  };
  const near = isRole ? words.reduce((sum, word) => sum + nearness(word), 0) : 0;
  if (own100 + near === 0) return 0;
  const isUsed =
    node.cursor === 'pointer' ||
    /^(?:button|link|textbox|searchbox|checkbox|radio|combobox|tab|menuitem|option)$/.test(node.role);
  const length = Math.min(5, own.length / 60);
  return own100 + near + (isRole ? 8 : roles.size > 0 ? -6 : 0) + (isUsed ? 3 : 0) - length;
}

function ownText({ name, text, placeholder, children }: PageNode): string {
  const inner = (children ?? []).filter((child) => typeof child === 'string');
  return [name, text, placeholder, ...inner].filter((part) => part !== undefined).join(' ');
}

function deepText(node: PageNode, limit: number): string {
  let text = ownText(node);
  for (const child of node.children ?? []) {
    if (text.length > limit) break;
    if (typeof child !== 'string') text += ` ${deepText(child, limit - text.length)}`;
  }
  return text.slice(0, limit);
}

function namedContainer(ancestors: readonly PageNode[]): string {
  const named = ancestors.findLast(({ name }) => name !== undefined && name !== '');
  return named === undefined ? '' : `${named.role} “${named.name!.slice(0, 80)}”`;
}
