import type { PageSnapshot, PageNode } from '../../contracts/browsers/page-snapshot';

const ELEMENT = /^\[(\d+)\] ([\w-]+) "(.*)"(?: \((.*)\))?$/;
const INDENT = 2;
/** Roles that are numbered without being interactive. */
const SHOWN_ONLY = new Set(['heading', 'img', 'iframe']);
const FIELDS = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox', 'listbox', 'slider', 'option']);

interface Open {
  depth: number;
  children: (PageNode | string)[];
}

/**
 * Parses the `read_page` text of a remote browser: title and address, then a line for each text and each element, such as
 * `[12] button "Buy" (disabled)`, indented by their ancestors. Numbers become refs.
 */
export function parsePage(text: string): PageSnapshot {
  const [head = '', ...lines] = text.split('\n');
  const dash = head.lastIndexOf(' — ');
  const nodes: (PageNode | string)[] = [];
  const open: Open[] = [{ depth: -1, children: nodes }];
  const counts = numbersIn(lines);
  for (const line of lines) {
    const content = line.trim();
    if (content === '') continue;
    const depth = (line.length - line.trimStart().length) / INDENT;
    while (open.at(-1)!.depth >= depth) open.pop();
    const parts = ELEMENT.exec(content);
    if (parts === null) {
      open.at(-1)!.children.push(content);
      continue;
    }
    const [, number, role, name, states] = parts;
    const children: (PageNode | string)[] = [];
    const node = {
      // Text of the page may look like an element, so a number that occurs twice is no ref.
      ...(counts.get(number!) === 1 ? { ref: `e${number}` } : {}),
      ...elementOf(role!, name!, states ?? ''),
      children,
    };
    open.at(-1)!.children.push(node);
    open.push({ depth, children });
  }
  return {
    snapshotId: '',
    url: dash === -1 ? '' : head.slice(dash + 3),
    title: dash === -1 ? head : head.slice(0, dash),
    tabs: [],
    nodes,
  };
}

/** Converts a ref to the number that the tools expect. */
export function toToolRef(ref: string): string {
  return ref.replace(/^e/, '');
}

function numbersIn(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const number = /^\[(\d+)\]/.exec(line.trim())?.[1];
    if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

function elementOf(role: string, name: string, states: string): PageNode {
  const value = /value "(.*)"/.exec(states)?.[1];
  const url = /(?:^|, )to (\S+?)(?:,|$)/.exec(states)?.[1];
  const isUsable = !SHOWN_ONLY.has(role) && !FIELDS.has(role);
  return {
    role,
    ...(name === '' ? {} : { name }),
    ...(value === undefined ? {} : { text: value }),
    ...(url === undefined ? {} : { url }),
    ...(/(?:^|, )checked\b/.test(states) ? { checked: true } : {}),
    ...(/(?:^|, )disabled\b/.test(states) ? { disabled: true } : {}),
    ...(isUsable ? { cursor: 'pointer' } : {}),
  };
}
