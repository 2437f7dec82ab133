import type { PageNode } from '../../contracts/browsers/page-snapshot';
import { oneLine, shortened } from '../../contracts/text';

const MOST_TEXT = 300;
const MOST_URL = 120;
const GROUPING = new Set(['generic', 'group', 'presentation', 'none']);

/** Renders one element as a line: role, name, ref, states, text. */
export function nodeText(node: PageNode): string {
  const { role, name, ref, text, placeholder, url, level, cursor, since, value, description, invalid, unreachable } =
    node;
  const states = (['checked', 'selected', 'expanded', 'disabled', 'pressed', 'active'] as const).flatMap((state) => {
    const value = node[state];
    return value === undefined ? [] : [value === true ? `[${state}]` : `[${state}=${String(value)}]`];
  });
  const said = text === undefined || text.trim() === '' ? '' : oneLine(text, MOST_TEXT);
  const isOnlyText = role === '' && (name === undefined || name === '') && ref === undefined;
  const parts = [
    role,
    name === undefined || name === '' ? '' : JSON.stringify(oneLine(name, MOST_TEXT)),
    ref === undefined ? '' : `[ref=${ref}]`,
    level === undefined ? '' : `[level=${level}]`,
    ...states,
    GROUPING.has(role) && cursor === 'pointer' ? '[clickable]' : '',
    ...(node.states ?? []).map((state) => `[${state}]`),
    unreachable === undefined ? '' : `[${oneLine(unreachable, MOST_TEXT)}]`,
    invalid === undefined || invalid === false ? '' : invalid === true ? '[invalid]' : fact('invalid', invalid),
    value === undefined ? '' : fact('value', value),
    placeholder === undefined ? '' : fact('placeholder', placeholder),
    description === undefined ? '' : fact('description', description),
    url === undefined ? '' : `[url=${shortened(url, MOST_URL)}]`,
    since === undefined ? '' : `[${since}]`,
  ].filter((part) => part !== '');
  if (isOnlyText) return said;
  return said === '' ? parts.join(' ') : `${parts.join(' ')}: ${said}`;
}

function fact(name: string, value: string): string {
  return `[${name}=${JSON.stringify(oneLine(value, MOST_TEXT))}]`;
}
