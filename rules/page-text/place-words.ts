import { walkNodes, type PageNode, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { oneLine, shortened } from '../../contracts/text';

/** Controls whose own names say nothing of the row that they stand in. */
const CONTROLS = new Set('button checkbox radio switch combobox textbox searchbox spinbutton menuitem'.split(' '));
const LONGEST = 80;

interface Place {
  node: PageNode;
  ancestors: readonly PageNode[];
}

/**
 * The words of the row, card, fieldset or heading that distinguish each of several equal elements from the others, by element:
 * of twenty buttons “Remove” each gets what else its row says. An element that is alone of its role and name is left out.
 */
export function placeWords(nodes: readonly (PageNode | string)[]): Map<PageNode, { item: PageNode; words: string }> {
  const equals = new Map<string, Place[]>();
  for (const place of walkNodes(nodes)) {
    const { role, name, text, ref, omitted } = place.node;
    if (ref === undefined || omitted !== undefined) continue;
    const key = JSON.stringify([role, name ?? text ?? '']);
    const known = equals.get(key);
    if (known === undefined) equals.set(key, [place]);
    else known.push(place);
  }
  const found = new Map<PageNode, { item: PageNode; words: string }>();
  for (const places of equals.values()) {
    if (places.length < 2 || !places.some(({ node }) => isUsable(node))) continue;
    places.forEach((place, index) => {
      // In document order, what shares most with an element is the equal one before or after it.
      const shared = Math.max(...[places[index - 1], places[index + 1]].map((other) => sharedAncestors(place, other)));
      const item = place.ancestors[shared];
      const words = item === undefined ? '' : wordsOf(item, place.node);
      const said = words === '' ? headingBefore([...place.ancestors, place.node].slice(0, shared + 1), nodes) : words;
      if (said !== '') found.set(place.node, { item: item ?? place.node, words: shortened(said, LONGEST) });
    });
  }
  return found;
}

/** The words of the place of the element with this ref; undefined where its role and name alone identify it. */
export function placeWordsOfRef({ nodes }: Pick<PageSnapshot, 'nodes'>, ref: string): string | undefined {
  for (const [node, { words }] of placeWords(nodes)) if (node.ref === ref) return words;
  return undefined;
}

function isUsable({ role, cursor }: PageNode): boolean {
  return CONTROLS.has(role) || role === 'link' || role === 'tab' || role === 'option' || cursor === 'pointer';
}

/** How many ancestors two elements have in common, from the root. */
function sharedAncestors({ ancestors }: Place, other: Place | undefined): number {
  if (other === undefined) return 0;
  const differs = ancestors.findIndex((ancestor, index) => ancestor !== other.ancestors[index]);
  return differs === -1 ? ancestors.length : differs;
}

/** What an item says beside its controls. */
function wordsOf(item: PageNode, except: PageNode): string {
  const parts: string[] = [];
  const visit = (node: PageNode | string): void => {
    if (typeof node === 'string') parts.push(oneLine(node));
    else if (node !== except && !CONTROLS.has(node.role) && node.omitted === undefined) {
      const inner = node.children ?? [];
      const own = inner.length > 0 && node !== item ? node.text : (node.name ?? node.text);
      parts.push(oneLine(own ?? ''));
      if (own === undefined || own === '' || node === item) inner.forEach(visit);
    }
  };
  visit(item);
  return [...new Set(parts.filter((part) => part !== ''))].join(' | ');
}

/** The last heading before an element, among the siblings of it and of what it stands in. */
function headingBefore(path: readonly PageNode[], roots: readonly (PageNode | string)[]): string {
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const siblings = depth === 0 ? roots : (path[depth - 1]!.children ?? []);
    const before = siblings.slice(0, siblings.indexOf(path[depth]!));
    const headings = [...walkNodes(before)].filter(({ node }) => node.role === 'heading' || node.role === 'legend');
    const heading = headings.at(-1)?.node;
    if (heading !== undefined) return oneLine(heading.name ?? heading.text ?? '');
  }
  return '';
}
