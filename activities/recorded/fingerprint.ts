import { createHash } from 'node:crypto';
import type { PageSnapshot, PageNode } from '../../contracts/browsers/page-snapshot';
import { isSurveyedRef } from './surveyed-ref';

/**
 * A hash that is equal for two snapshots of pages that read the same. It ignores the focus, the numbering of nodes,
 * what changed last, rows of long runs that were only kept for those, and what a survey adds, which a page that is slow
 * may not have.
 */
export function fingerprintOf({ url, title, tabs, nodes }: PageSnapshot): string {
  const seen = { url, title, tabs: tabs.map((tab) => tab.url), nodes: contents(nodes) };
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

function contents(nodes: readonly (PageNode | string)[]): unknown[] {
  return nodes.filter((node) => typeof node === 'string' || !isPassing(node)).map(content);
}

function isPassing({ omitted, anchor, ref = '' }: PageNode): boolean {
  return omitted !== undefined || anchor?.isTransient === true || isSurveyedRef(ref);
}

function content(node: PageNode | string): unknown {
  if (typeof node === 'string') return node;
  const {
    ref: _ref,
    active: _active,
    cursor: _cursor,
    since: _since,
    anchor: _anchor,
    locator: _locator,
    attributes: _attributes,
    acts: _acts,
    unreachable: _unreachable,
    states: _states,
    description: _description,
    invalid: _invalid,
    value: _value,
    isNotice: _isNotice,
    ...rest
  } = node;
  const { children = [], ...said } = rest;
  return { ...said, children: contents(children) };
}
