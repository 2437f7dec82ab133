import { walkNodes, type PageNode, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { oneLine } from '../../contracts/text';
import { changesSince } from './changes';
import { withoutIdleRefs } from './idle-refs';
import { nodeText } from './node-text';
import { selectWithinBudget } from './page-budget';
import { toPageLines } from './page-lines';
import { pageText } from './page-text';

/** The most characters of a page that a model has not seen, and of what has changed on one that it knows. */
const MOST_OF_PAGE = 5000;
const MOST_OF_CHANGE = 2000;
const MOST_GONE = 8;

/** What a model learns of the page after its calls, beside their results. */
interface ChangeText {
  text: string;
  /** False where the text says what has changed on the page that the model knows. */
  isWholePage: boolean;
}

/**
 * Says what has changed between the snapshot that a model was shown last and the newest one: elements that are new, changed
 * or gone. A page that it was not shown, or that has changed for the most part, is shown as a whole within its own limit.
 */
export function changeText(
  shown: PageSnapshot | null,
  newest: PageSnapshot,
  words: readonly string[],
  isWholePageDue = false,
): ChangeText {
  const marked =
    shown !== null && !isWholePageDue && isSameDocument(shown, newest)
      ? changesSince(shown.nodes, newest.nodes.map(withoutMarks))
      : undefined;
  const lightened = { ...newest, nodes: withoutIdleRefs(newest.nodes) };
  if (shown === null || marked === undefined)
    return { text: `The page now:\n${pageText(lightened, MOST_OF_PAGE, words, 'find')}`, isWholePage: true };
  const changed = marked.flatMap(markedParts);
  const gone = goneFrom(shown, newest);
  const lines = selectWithinBudget(toPageLines(withoutIdleRefs(changed), words, 'find'), MOST_OF_CHANGE);
  const parts = [
    ...(lines.length === 0 ? [] : ['New or changed on the page:', ...lines]),
    ...(gone.length === 0 ? [] : [`Gone: ${gone.join(', ')}`]),
  ];
  return { text: parts.length === 0 ? 'The page reads as before.' : parts.join('\n'), isWholePage: false };
}

/** The marks of a snapshot say how it differs from the one before it, which may not be the one that was shown. */
function withoutMarks(node: PageNode | string): PageNode | string {
  if (typeof node === 'string' || node.anchor !== undefined) return node;
  const { since: _, children, ...rest } = node;
  return { ...rest, ...(children === undefined ? {} : { children: children.map(withoutMarks) }) };
}

/** Whether refs of the older snapshot stand for the same elements in the newer one; another worker numbers them anew. */
function isSameDocument(before: PageSnapshot, now: PageSnapshot): boolean {
  if (before.url.split('#')[0] !== now.url.split('#')[0]) return false;
  const known = new Map([...walkNodes(before.nodes)].map(({ node }) => [node.ref, identityOf(node)]));
  const shared = [...walkNodes(now.nodes)].filter(({ node }) => node.ref !== undefined && known.has(node.ref));
  return shared.length > 0 && shared.every(({ node }) => known.get(node.ref) === identityOf(node));
}

function identityOf({ role, name = '' }: PageNode): string {
  return `${role} ${name}`;
}

/** The marked parts of a tree, each with the elements around it. */
function markedParts(node: PageNode | string): (PageNode | string)[] {
  if (typeof node === 'string') return [];
  if (node.since !== undefined) return [node];
  const children = (node.children ?? []).flatMap(markedParts);
  return children.length === 0 ? [] : [{ ...node, children }];
}

const WORTH_A_WORD = new Set(
  'dialog alertdialog alert status button link textbox combobox checkbox heading row'.split(' '),
);

/** What stood on the page and does not any more. Of a page that was pruned nothing is said to be gone. */
function goneFrom(before: PageSnapshot, now: PageSnapshot): string[] {
  if ([before, now].some(({ nodes }) => [...walkNodes(nodes)].some(({ node }) => node.omitted !== undefined)))
    return [];
  const left = [...walkNodes(now.nodes)].map(({ node }) => node);
  const isLeft = (node: PageNode): boolean =>
    left.some(({ ref, role, name }) => ref === node.ref || (role === node.role && name === node.name));
  const gone = [...walkNodes(before.nodes)].filter(
    ({ node, ancestors }) =>
      WORTH_A_WORD.has(node.role) &&
      !isLeft(node) &&
      !ancestors.some((each) => WORTH_A_WORD.has(each.role) && !isLeft(each)),
  );
  const named = gone.map(({ node: { role, name, text } }) =>
    oneLine(nodeText({ role, ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { text }) }), 80),
  );
  const more = named.length - MOST_GONE;
  return [...named.slice(0, MOST_GONE), ...(more > 0 ? [`${more} more`] : [])];
}
