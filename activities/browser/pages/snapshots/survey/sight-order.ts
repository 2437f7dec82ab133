import type { PageNode } from '../../../../../contracts/browsers/page-snapshot';
import type { Box } from './arrangement';

/** Positions of layout differ by fractions of a pixel. */
const SAME_PX = 2;

/**
 * The nodes in the order in which people see them, where style shows equal parts (rows, cards, buttons) in another order
 * than the document: from top to bottom, in a line from left to right. Other parts stay where the document has them.
 */
export function inSightOrder(
  nodes: readonly (PageNode | string)[],
  boxes: Readonly<Record<string, Box>>,
): (PageNode | string)[] {
  const whole = nodes.map((node) =>
    typeof node === 'string' || node.children === undefined
      ? node
      : { ...node, children: inSightOrder(node.children, boxes) },
  );
  const groups = Map.groupBy(whole.entries(), ([, node]) => (typeof node === 'string' ? '' : node.role));
  for (const [role, group] of groups) {
    if (role === '' || group.length < 2) continue;
    const placed = group.flatMap(([, node]) => {
      const box = typeof node === 'string' || node.ref === undefined ? undefined : boxes[node.ref];
      return box === undefined || isRun(node) ? [] : [{ node, box }];
    });
    if (placed.length < group.length || !isArranged(placed.map(({ box }) => box))) continue;
    const seen = placed.toSorted((one, other) => compare(one.box, other.box));
    for (const [at, [position]] of group.entries()) whole[position] = seen[at]!.node;
  }
  return whole;
}

/** Of a pruned run not all rows are there. */
function isRun(node: PageNode | string): boolean {
  return typeof node !== 'string' && (node.anchor !== undefined || node.omitted !== undefined);
}

/** A column of equal left edge, a line of equal top edge, or a grid of equal boxes; none of them over another. */
function isArranged(boxes: readonly Box[]): boolean {
  const areEqual = (at: 0 | 1 | 2 | 3): boolean => boxes.every((box) => Math.abs(box[at] - boxes[0]![at]) <= SAME_PX);
  if (boxes.some(([, , width, height]) => width === 0 || height === 0)) return false;
  if (!(areEqual(0) || areEqual(1) || (areEqual(2) && areEqual(3)))) return false;
  const sorted = boxes.toSorted(compare);
  return sorted.every((box, at) => at === 0 || !isOver(sorted[at - 1]!, box));
}

function isOver([left, top, width, height]: Box, [x, y, w, h]: Box): boolean {
  return x < left + width - SAME_PX && left < x + w - SAME_PX && y < top + height - SAME_PX && top < y + h - SAME_PX;
}

function compare([left, top, , height]: Box, [x, y, , h]: Box): number {
  const isSameLine = top < y + h / 2 && y < top + height / 2;
  return isSameLine ? left - x : top - y;
}
