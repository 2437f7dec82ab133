import type { PageNode } from '../../../../../contracts/browsers/page-snapshot';

/** Two words that the tree may have written as one. */
const GLUED = /[\p{Ll}\p{Nd})\]×✕★☆][\p{Lu}(★☆]|\p{Ll}\p{Nd}|\p{Nd}\p{L}{2}|[\p{L}\p{Nd}][×✕]/u;

/** Whether a node has a text in which words may stand without the space that is seen between them. */
export function mayBeGlued({ text = '', children = [] }: PageNode): boolean {
  return GLUED.test(text) || children.some((child) => typeof child === 'string' && GLUED.test(child));
}

/** A node with the spaces that are seen in its texts. */
export function withSeenSpaces(node: PageNode, seen: string): PageNode {
  const { text, children } = node;
  return {
    ...node,
    ...(text === undefined ? {} : { text: spacedAs(text, seen) }),
    ...(children && { children: children.map((child) => (typeof child === 'string' ? spacedAs(child, seen) : child)) }),
  };
}

/** The part of a text as it is seen that has the same letters, or the text where none has. */
function spacedAs(text: string, seen: string): string {
  const letters = withoutSpace(text);
  const start = withoutSpace(seen).indexOf(letters);
  if (letters === '' || start === -1) return text;
  const places = Array.from({ length: seen.length }, (_, at) => at).filter((at) => !/\s/.test(seen[at]!));
  const [from, to] = [places[start], places[start + letters.length - 1]];
  return from === undefined || to === undefined ? text : seen.slice(from, to + 1);
}

/** Whether two texts have the same letters, whatever space is between them. */
export const isSameButForSpace = (one: string, other: string): boolean => withoutSpace(one) === withoutSpace(other);

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');
