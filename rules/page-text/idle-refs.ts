import type { PageNode } from '../../contracts/browsers/page-snapshot';

/** Roles of elements that nothing is done to, unless their page says otherwise. */
const IDLE = new Set(
  (
    'generic group presentation none paragraph heading list listitem main banner navigation contentinfo complementary ' +
    'article region section search form radiogroup table rowgroup row cell rowheader columnheader status alert log ' +
    'strong emphasis code blockquote figure caption legend term definition separator note time mark text'
  ).split(' '),
);

/**
 * The tree without what costs a reader tokens and helps it little: refs of elements that nothing is done to, which `find`
 * still gives; the focus of a page as a whole; and a label beside the control that has it as its name.
 */
export function withoutIdleRefs(nodes: readonly (PageNode | string)[]): (PageNode | string)[] {
  return nodes.flatMap((node, index) =>
    [nodes[index - 1], nodes[index + 1]].some((beside) => isLabelOf(node, beside)) ? [] : [lightened(node)],
  );
}

function lightened(node: PageNode | string): PageNode | string {
  if (typeof node === 'string') return node;
  const { ref, active, children, ...rest } = node;
  const isIdle = IDLE.has(node.role) && node.cursor !== 'pointer' && node.states === undefined;
  const isWholePage = node.role === 'generic' && node.name === undefined && node.text === undefined && isIdle;
  return {
    ...rest,
    ...(ref === undefined || isIdle ? {} : { ref }),
    ...(active === undefined || isWholePage ? {} : { active }),
    ...(children === undefined ? {} : { children: withoutIdleRefs(children) }),
  };
}

function isLabelOf(node: PageNode | string, control: PageNode | string | undefined): boolean {
  if (typeof control !== 'object' || IDLE.has(control.role) || control.name === undefined) return false;
  if (typeof node === 'string') return node.trim() === control.name;
  const isPlain = node.role === 'generic' && node.cursor !== 'pointer' && node.states === undefined;
  return isPlain && (node.children ?? []).length === 0 && node.text?.trim() === control.name;
}
