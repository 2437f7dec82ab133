import type { PageNode } from '../../../../contracts/browsers/page-snapshot';
import type { PruneMark } from './prune';

const MARK = /\uE000([0-9a-f-]+:\d+)\uE001/g;

/** Applies the prune marks among the rows of long runs to the nodes, and removes all marks, unknown ones too. */
export function applyPruneMarks(
  nodes: readonly (PageNode | string)[],
  marks: ReadonlyMap<string, PruneMark>,
): (PageNode | string)[] {
  let row: PruneMark | undefined;
  return nodes.flatMap((node) => {
    const said = textOf(node);
    if (said === undefined || (typeof node !== 'string' && !said.includes('\uE000'))) {
      const read = readNode(node as PageNode, marks);
      if (row === undefined) return [read];
      const { anchor, isNew } = row;
      return [
        { ...read, ...(anchor === undefined ? {} : { anchor }), ...(isNew === true ? { since: 'new' as const } : {}) },
      ];
    }
    const found: (PageNode | string)[] = [];
    for (const [, id] of said.matchAll(MARK)) {
      const mark = marks.get(id!);
      if (mark?.omitted !== undefined) found.push({ role: 'left-out', omitted: mark.omitted });
      row = mark?.kind === 'row' ? mark : undefined;
    }
    const text = withoutMarks(said);
    return said !== text && text === '' ? found : [...found, text];
  });
}

/** Text at the root of a snapshot is a node. */
function textOf(node: PageNode | string): string | undefined {
  if (typeof node === 'string') return node;
  return node.role === 'text' && node.children === undefined ? node.text : undefined;
}

function readNode(node: PageNode, marks: ReadonlyMap<string, PruneMark>): PageNode {
  const { children, ...own } = node;
  const read: PageNode = { ...own };
  // A name that derives from the content may contain marks.
  if (own.name !== undefined) read.name = withoutMarks(own.name);
  if (own.text !== undefined) {
    const [left] = applyPruneMarks([own.text], marks).filter((each) => typeof each !== 'string');
    read.text = withoutMarks(own.text);
    if (left !== undefined) return { ...read, children: [left] };
  }
  return children === undefined ? read : { ...read, children: applyPruneMarks(children, marks) };
}

function withoutMarks(text: string): string {
  return text.includes('\uE000') ? text.replaceAll(MARK, ' ').replace(/\s+/g, ' ').trim() : text;
}
