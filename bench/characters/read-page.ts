import { walkNodes, type PageNode, type PageSnapshot } from '../../contracts/browsers/page-snapshot';

const INDENT = 2;
const FACT = /^ \[((?:[^\]"]|"(?:[^"\\]|\\.)*")+)\]/;
const STATES = ['checked', 'selected', 'expanded', 'disabled', 'pressed', 'active'] as const;
/** Ends what an element of a cell says, where the next element of the cell begins. */
const NEXT_ELEMENT = /\s(?=[a-z]+ (?:"|\[ref=))/;

/** Reads a page out of the text of a prompt, all that a model knows of it. */
export function readPage(text: string): PageSnapshot {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^\s*- /.test(line) && !/^- \d+(?: \(this one\))?: /.test(line));
  const head = start === -1 ? lines : lines.slice(0, start);
  const fact = (name: string) => head.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  return {
    snapshotId: '',
    url: fact('address'),
    title: fact('title'),
    tabs: head.flatMap((line) => {
      const tab = /^- \d+( \(this one\))?: (.*) (\S+)$/.exec(line);
      return tab === null ? [] : [{ title: tab[2]!, url: tab[3]!, isActive: tab[1] !== undefined }];
    }),
    nodes: start === -1 ? [] : readNodes(lines.slice(start)),
  };
}

/** Reads lines of elements, indented by what they stand in. */
export function readNodes(lines: readonly string[]): (PageNode | string)[] {
  const roots: (PageNode | string)[] = [];
  const open: { depth: number; children: (PageNode | string)[] }[] = [{ depth: -1, children: roots }];
  for (const line of lines) {
    const [, indent, content] = /^(\s*)- (.*)$/.exec(line) ?? [];
    if (indent === undefined || content === undefined || content.startsWith('(')) continue;
    const depth = indent.length / INDENT;
    while (open.at(-1)!.depth >= depth) open.pop();
    const words = /^text: (.*)$/.exec(content)?.[1];
    if (words !== undefined) {
      open.at(-1)!.children.push(words);
      continue;
    }
    const children: (PageNode | string)[] = [];
    const { node, said } = readElement(content);
    if (node.role === 'row' && said.includes(' | ')) children.push(...said.split(' | ').map(readCell));
    else if (said !== '') node.text = said;
    open.at(-1)!.children.push(Object.assign(node, { children }));
    open.push({ depth, children });
  }
  for (const { node } of walkNodes(roots)) if (node.role === 'table') nameColumns(node);
  return roots;
}

/** The text says of no cell that it is a header; a reader takes the first row of a table for them. */
function nameColumns(table: PageNode): void {
  const [first] = [...walkNodes(table.children ?? [])].filter(({ node }) => node.role === 'row');
  for (const cell of first?.node.children ?? []) if (typeof cell !== 'string') cell.role = 'columnheader';
}

/** Reads role, name, ref and states; `said` is what follows them. */
function readElement(content: string): { node: PageNode; said: string } {
  const role = /^[a-z]*/.exec(content)![0];
  const node: PageNode = { role };
  let rest = content.slice(role.length);
  const name = /^ ?("(?:[^"\\]|\\.)*")/.exec(rest);
  if (name !== null) {
    node.name = JSON.parse(name[1]!) as string;
    rest = rest.slice(name[0].length);
  }
  for (let fact = FACT.exec(rest); fact !== null; fact = FACT.exec(rest)) {
    addFact(node, fact[1]!);
    rest = rest.slice(fact[0].length);
  }
  return { node, said: rest.replace(/^: ?/, '') };
}

function addFact(node: PageNode, fact: string): void {
  const [, key = '', given] = /^([a-z]+)=(.*)$/.exec(fact) ?? [];
  const value = given?.startsWith('"') === true ? (JSON.parse(given) as string) : given;
  const state = STATES.find((each) => each === fact || each === key);
  if (state !== undefined)
    Object.assign(node, {
      [state]: value === undefined || value === 'true' ? true : value === 'mixed' ? value : false,
    });
  else if (key === 'ref' || key === 'url' || key === 'value' || key === 'placeholder' || key === 'description')
    node[key] = value!;
  else if (key === 'level') node.level = Number(value);
  else if (fact === 'invalid' || key === 'invalid') node.invalid = value ?? true;
  else if (fact === 'new' || fact === 'changed') node.since = fact;
  else if (fact === 'clickable') node.cursor = 'pointer';
}

function readCell(text: string): PageNode {
  const parts = text.split(NEXT_ELEMENT);
  const children = parts.map((part) => {
    const { node, said } = readElement(part);
    const isElement = node.ref !== undefined || node.name !== undefined;
    return isElement
      ? { ...node, role: node.role === '' ? 'cell' : node.role, ...(said === '' ? {} : { text: said }) }
      : part;
  });
  const [only, ...others] = children;
  if (others.length === 0 && typeof only === 'string') return { role: 'cell', text: only };
  if (others.length === 0 && typeof only === 'object' && only.role === 'cell') return only;
  return { role: 'cell', children };
}
