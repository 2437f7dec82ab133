import { walkNodes, type PageNode, type PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { refIn } from './durable-target';

const IN_ROW = /^(?:cell|gridcell)$/;

/** How many parts of these roles a snapshot shows, in the element of a ref or on the whole page. A row of headings is none. */
export function countRoles(
  { nodes }: Pick<PageSnapshot, 'nodes'>,
  roles: readonly string[],
  selector?: string,
): number | undefined {
  const ref = selector === undefined ? undefined : refIn(selector);
  if (selector !== undefined && ref === undefined) return undefined;
  const all = [...walkNodes(nodes)].map(({ node }) => node);
  const within = ref === undefined ? nodes : all.find((node) => node.ref === ref)?.children;
  if (within === undefined) return undefined;
  return [...walkNodes(within)].filter(({ node }) => roles.includes(node.role) && isCounted(node)).length;
}

const isCounted = ({ role, children = [] }: PageNode): boolean =>
  role !== 'row' || [...walkNodes(children)].some(({ node }) => IN_ROW.test(node.role));
