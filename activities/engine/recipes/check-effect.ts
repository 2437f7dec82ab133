import { walkNodes, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { CommandEvidence } from '../../../contracts/commands/evidence';
import { isPage, toPagePattern, toTextPattern } from '../../../contracts/recipes/page-pattern';
import type { Postcondition } from '../../../contracts/recipes/recipe';
import { hasRefusedRequest, requestPatterns } from './observed-effect';
import type { Values } from './spelling';

/** Why a page is not what had to follow; `text` is what it does not say yet. */
export interface Difference {
  why: string;
  text?: string | undefined;
}

/** Compares a page and what was seen of the commands with what had to follow them; undefined where they agree. */
export function differenceOf(
  { page, texts, requests }: Postcondition,
  snapshot: PageSnapshot,
  evidence: readonly (CommandEvidence | undefined)[],
  values: Values,
): Difference | undefined {
  if (hasRefusedRequest(evidence)) return { why: 'a request of its commands was refused' };
  const sent = requestPatterns(evidence, values);
  const unsent = requests.find((request) => !sent.includes(request));
  if (unsent !== undefined) return { why: `the request ${unsent} was not sent` };
  const said = textOf(snapshot);
  const missing = texts.find((text) => !said.includes(text));
  const shown = toPagePattern(snapshot.url, values);
  if (!isPage(page, shown)) return { why: `it led to ${shown} in place of ${page}`, text: missing };
  return missing === undefined ? undefined : { why: `the page does not say “${missing}”`, text: missing };
}

/** All that a page says, numbers as `#`. */
function textOf({ nodes }: PageSnapshot): string {
  const texts = nodes.filter((node) => typeof node === 'string');
  for (const { node } of walkNodes(nodes)) {
    const strings = (node.children ?? []).filter((child) => typeof child === 'string');
    texts.push(node.name ?? '', node.text ?? '', ...strings);
    if (strings.length > 1) texts.push(strings.join(' '));
  }
  return texts.map(toTextPattern).join('\n');
}
