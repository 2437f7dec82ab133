import { createHash } from 'node:crypto';
import type { PageSnapshot, PageNode } from '../../../contracts/browsers/page-snapshot';

/**
 * The same for two looks at pages that read the same. Where the focus stands, how nodes are numbered and what changed
 * last says nothing, and neither does which rows of a long run were looked at for that.
 */
export function fingerprintOf({ url, title, tabs, nodes }: PageSnapshot): string {
  const seen = { url, title, tabs: tabs.map((tab) => tab.url), nodes: contents(nodes) };
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

function contents(nodes: readonly (PageNode | string)[]): unknown[] {
  return nodes.filter((node) => typeof node === 'string' || !isPassing(node)).map(content);
}

function isPassing({ omitted: leftOut, anchor }: PageNode): boolean {
  return leftOut !== undefined || anchor?.isTransient === true;
}

function content(node: PageNode | string): unknown {
  if (typeof node === 'string') return node;
  const { ref: _ref, active: _active, cursor: _cursor, since: _since, anchor: _anchor, children = [], ...said } = node;
  return { ...said, children: contents(children) };
}
