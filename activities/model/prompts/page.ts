import type { PageLook, PageNode } from '../../../contracts/page';

/** Roles that only group; without a name or a use of their own they cost tokens and tell nothing. */
const GROUPING = new Set(['generic', 'group', 'presentation', 'none']);
/** How many equal siblings are shown, from roomy to tight. */
const FOLDS = [Infinity, 40, 15, 6, 3] as const;

/** A look as text, a line for each element, within so many characters whatever the page is. */
export function pageText(look: PageLook, budget: number): string {
  const tabs =
    look.tabs.length < 2
      ? []
      : [
          'tabs:',
          ...look.tabs.map(
            (tab, index) => `- ${index + 1}${tab.isActive ? ' (this one)' : ''}: ${tab.title} ${tab.url}`,
          ),
        ];
  const head = [`address: ${look.url}`, `title: ${look.title}`, ...tabs].join('\n');
  const room = Math.max(0, budget - head.length - 1);
  const body = FOLDS.map((fold) => linesOf(look.nodes, '', fold)).find((lines) => sizeOf(lines) <= room);
  return `${head}\n${(body ?? cut(linesOf(look.nodes, '', FOLDS.at(-1)!), room)).join('\n')}`;
}

function linesOf(nodes: readonly (PageNode | string)[], indent: string, fold: number): string[] {
  const shown = folded(nodes, fold);
  return shown.flatMap((each) => {
    if (typeof each === 'string') return each.trim() === '' ? [] : [`${indent}- text: ${oneLine(each)}`];
    if ('left' in each) return [`${indent}- (${each.left} more ${each.role} like these)`];
    const children = each.children ?? [];
    if (isEmptyGroup(each)) return linesOf(children, indent, fold);
    return [`${indent}- ${lineOf(each)}`, ...linesOf(children, `${indent}  `, fold)];
  });
}

interface Left {
  role: string;
  left: number;
}

/** Of a long run of siblings of one role the first ones and the last one stay: rows, options, links of a list. */
function folded(nodes: readonly (PageNode | string)[], fold: number): (PageNode | string | Left)[] {
  const out: (PageNode | string | Left)[] = [];
  for (let start = 0; start < nodes.length;) {
    const first = nodes[start]!;
    let end = start + 1;
    while (end < nodes.length && isAlike(first, nodes[end]!)) end += 1;
    const run = nodes.slice(start, end);
    if (run.length <= fold + 1 || typeof first === 'string') out.push(...run);
    else out.push(...run.slice(0, fold), { role: first.role, left: run.length - fold - 1 }, run.at(-1)!);
    start = end;
  }
  return out;
}

function isAlike(one: PageNode | string, other: PageNode | string): boolean {
  return typeof one !== 'string' && typeof other !== 'string' && one.role === other.role;
}

function isEmptyGroup({ role, name, text, cursor }: PageNode): boolean {
  return GROUPING.has(role) && !name && !text && cursor !== 'pointer';
}

function lineOf(node: PageNode): string {
  const { role, name, ref, text, placeholder, url, level, cursor } = node;
  const states = (['checked', 'selected', 'expanded', 'disabled', 'pressed', 'active'] as const).flatMap((state) => {
    const value = node[state];
    return value === undefined ? [] : [value === true ? ` [${state}]` : ` [${state}=${String(value)}]`];
  });
  return [
    role,
    name === undefined || name === '' ? '' : ` ${JSON.stringify(oneLine(name))}`,
    ref === undefined ? '' : ` [ref=${ref}]`,
    level === undefined ? '' : ` [level=${level}]`,
    ...states,
    GROUPING.has(role) && cursor === 'pointer' ? ' [clickable]' : '',
    placeholder === undefined ? '' : ` [placeholder=${JSON.stringify(oneLine(placeholder))}]`,
    url === undefined ? '' : ` [url=${shortUrl(url)}]`,
    text === undefined || text === '' ? '' : `: ${oneLine(text)}`,
  ].join('');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

function shortUrl(url: string): string {
  return url.length > 120 ? `${url.slice(0, 120)}…` : url;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((size, line) => size + line.length + 1, 0);
}

function cut(lines: readonly string[], room: number): string[] {
  const NOTE = 60;
  let used = NOTE;
  const kept = lines.findIndex((line) => (used += line.length + 1) > room);
  const shown = lines.slice(0, Math.max(0, kept));
  return [...shown, `(${lines.length - shown.length} more lines of this page are left out)`];
}
