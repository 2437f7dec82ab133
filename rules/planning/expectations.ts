import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { BrowserParameters } from '../../contracts/commands/commands';
import { walkNodes } from '../../contracts/browsers/page-snapshot';
import type { Intent } from '../language/intent';
import { indexPage } from '../matching/page-index';
import { countRoles } from '../page-text/count-roles';
import { containsText } from '../page-text/contains-text';

/** Whether a snapshot meets an expectation; undefined where values of variables are needed. */
export function isMet(
  snapshot: PageSnapshot,
  expected: Pick<BrowserParameters, 'text' | 'url' | 'title' | 'absent' | 'roles' | 'matchCase' | 'count' | 'selector'>,
): boolean | undefined {
  const { text, url, title, absent, roles, matchCase, count, selector } = expected;
  if ([text, url, title].some((value) => value?.includes('${'))) return undefined;
  if (count !== undefined && roles !== undefined) {
    const counted = countRoles(snapshot, roles, selector);
    return counted === undefined ? undefined : (counted === count) !== (absent ?? false);
  }
  const isThere =
    (roles === undefined
      ? text === undefined || showsText(snapshot, text, matchCase)
      : showsElement(snapshot, text, roles, matchCase)) &&
    (url === undefined || snapshot.url.includes(url)) &&
    (title === undefined || containsText(snapshot.title, title, matchCase));
  return isThere !== (absent ?? false);
}

/** Whether a snapshot meets what an action expects or waits for; undefined for other actions. */
export function isIntentMet(snapshot: PageSnapshot, intent: Intent | undefined): boolean | undefined {
  if (intent?.kind === 'expect') return isMet(snapshot, intent);
  if (intent?.kind !== 'wait' || intent.text === undefined) return undefined;
  return isMet(snapshot, { text: intent.text, ...(intent.hidden && { absent: true }) });
}

/** Searches each name, and the text of the whole page, because a text may span several nodes. */
function showsText(snapshot: PageSnapshot, text: string, matchCase?: boolean): boolean {
  const names: string[] = [];
  const flowing: string[] = snapshot.nodes.filter((node) => typeof node === 'string');
  for (const { node } of walkNodes(snapshot.nodes)) {
    names.push(node.name ?? '', node.placeholder ?? '', node.text ?? '');
    if (!node.children) flowing.push(node.text ?? node.name ?? '');
    flowing.push(...(node.children ?? []).filter((child) => typeof child === 'string'));
  }
  return [...names, flowing.join(' ')].some((name) => containsText(name, text, matchCase));
}

function showsElement(
  snapshot: PageSnapshot,
  text: string | undefined,
  roles: readonly string[],
  matchCase?: boolean,
): boolean {
  return indexPage(snapshot).items.some(({ role, node, label, text: inside, hints }) => {
    if (!roles.includes(role) || (role === 'generic' && node?.cursor !== 'pointer')) return false;
    return text === undefined || [label, inside, ...hints].some((each) => containsText(each, text, matchCase));
  });
}
