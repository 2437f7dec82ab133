import type { GridCell } from '../../../../../contracts/browsers/page-snapshot';
import type { readGrid } from '../../../../results/table-grid';

/** Left, top, width and height in the document, in CSS pixels. */
export type Box = [left: number, top: number, width: number, height: number];

/** Where the parts of a frame are. */
export interface Arrangement {
  /** Boxes of what the tree has, where style may show its parts in another order than the document; else empty. */
  boxes: Record<string, Box>;
  /** Places of cells in tables of which cells take up several rows or columns. */
  cells: Record<string, GridCell>;
}

/** Runs in an isolated world: notes elements as they are visited, those of the tree with their ref. */
export function createArrangement(readTable: typeof readGrid): {
  note: (element: Element, style: CSSStyleDeclaration, ref: string | undefined) => void;
  read: () => Arrangement;
} {
  const shown: [string, Element][] = [];
  const cells: Record<string, GridCell> = {};
  let isRearranged = false;
  /** Elements that lay their children out, of which alone the properties of flex and grid are read: each reading takes time. */
  const layouts = new WeakSet<Node>();

  /** Whether style takes it, or what is in it, from the place that the document gives. */
  function rearranges(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.position === 'absolute' || style.float === 'right' || style.transform !== 'none') return true;
    const around = element.parentNode instanceof ShadowRoot ? element.parentNode.host : element.parentNode;
    // A slot is visited later than what is shown in it.
    const isItem = element.assignedSlot !== null || (around !== null && layouts.has(around));
    if (isItem && (style.order !== '0' || style.gridRowStart !== 'auto' || style.gridColumnStart !== 'auto'))
      return true;
    const { display } = style;
    // The children of an element without a box of its own belong to the layout around it.
    if (/flex|grid/.test(display) || (isItem && display === 'contents')) layouts.add(element);
    return display.includes('flex') && (style.flexDirection.endsWith('reverse') || style.flexWrap === 'wrap-reverse');
  }

  function noteTable(table: Element): void {
    if (table.querySelector('[rowspan], [colspan], [aria-rowspan], [aria-colspan], [aria-colindex]') === null) return;
    for (const [cell, place] of readTable(table)) {
      const known = (cell as Element & { _ariaRef?: { ref: string } })._ariaRef;
      if (known !== undefined) cells[known.ref] = place;
    }
  }

  const boxOf = (element: Element): Box => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + scrollX, top + scrollY, width, height].map(Math.round) as Box;
  };

  return {
    note(element, style, ref) {
      if (ref !== undefined) shown.push([ref, element]);
      isRearranged ||= rearranges(element, style);
      if (element.matches('table, [role=table], [role=grid], [role=treegrid]')) noteTable(element);
    },
    read: () => ({
      boxes: isRearranged ? Object.fromEntries(shown.map(([ref, element]) => [ref, boxOf(element)])) : {},
      cells,
    }),
  };
}
