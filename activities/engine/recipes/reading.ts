import { createHash } from 'node:crypto';
import type { PageNode, PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { Values } from './spelling';

/** Shorter values stand in too many texts; they are replaced only where they are the whole text. */
const SHORTEST_PART = 3;

/**
 * A digest of all that a page says to a model that leads a task, with the values of variables by their names: word for word,
 * because any word may have been what its next call depends on. Where links lead is no part of it; the elements that are used
 * are compared by that.
 */
export function readingOf({ url, title, tabs, nodes }: PageSnapshot, values: Values): string {
  const named = withNames(values);
  const read = {
    page: toPagePattern(url, values),
    title: named(title),
    tabs: tabs.map((tab) => toPagePattern(tab.url, values)),
    nodes: readable(nodes, named),
  };
  return createHash('sha256').update(JSON.stringify(read)).digest('hex').slice(0, 16);
}

type Named = (text: string) => string;

function withNames(values: Values): Named {
  // The longest first: a value may be part of another one.
  const known = [...values].filter(([, value]) => value !== '').sort((one, other) => other[1].length - one[1].length);
  return (text) => {
    const whole = known.find(([, value]) => value === text);
    if (whole !== undefined) return `\${${whole[0]}}`;
    return known
      .filter(([, value]) => value.length >= SHORTEST_PART)
      .reduce((said, [name, value]) => said.replaceAll(value, `\${${name}}`), text);
  };
}

function readable(nodes: readonly (PageNode | string)[], named: Named): unknown[] {
  return nodes.map((node) => (typeof node === 'string' ? named(node) : readableNode(node, named)));
}

function readableNode(node: PageNode, named: Named): unknown {
  const { role, name, text, placeholder, description, value, invalid, level, states } = node;
  const { checked, selected, expanded, disabled, pressed, omitted, children = [] } = node;
  const texts = [name, text, placeholder, description, value].map((each) => each && named(each));
  const problem = typeof invalid === 'string' ? named(invalid) : invalid;
  const inside = readable(children, named);
  return [
    role,
    ...texts,
    problem,
    level,
    checked,
    selected,
    expanded,
    disabled,
    pressed,
    omitted?.count,
    states,
    inside,
  ];
}
