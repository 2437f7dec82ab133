import { createHash } from 'node:crypto';
import type { PageLook, PageNode } from '../../contracts/page';

/** The same for two looks at pages that read the same. Where the focus stands and how nodes are numbered says nothing. */
export function fingerprintOf({ url, title, tabs, nodes }: PageLook): string {
  const seen = { url, title, tabs: tabs.map((tab) => tab.url), nodes: nodes.map(content) };
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

function content(node: PageNode | string): unknown {
  if (typeof node === 'string') return node;
  const { ref: _ref, active: _active, cursor: _cursor, children = [], ...said } = node;
  return { ...said, children: children.map(content) };
}
