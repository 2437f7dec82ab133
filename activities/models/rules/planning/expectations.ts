import type { PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import type { BrowserParameters } from '../../../../contracts/commands/commands';
import { walkNodes } from '../../../../contracts/browsers/page-snapshot';
import type { Intent } from '../grammar/intent';
import { normal } from '../matching/name-match';

/** Whether a snapshot meets an expectation; undefined where values of variables are needed. */
export function isMet(
  snapshot: PageSnapshot,
  expected: Pick<BrowserParameters, 'text' | 'url' | 'title' | 'absent'>,
): boolean | undefined {
  const { text, url, title, absent } = expected;
  if ([text, url, title].some((value) => value?.includes('${'))) return undefined;
  const isThere =
    (text === undefined || showsText(snapshot, text)) &&
    (url === undefined || snapshot.url.includes(url)) &&
    (title === undefined || normal(snapshot.title).includes(normal(title)));
  return isThere !== (absent ?? false);
}

/** Whether a snapshot meets what an action expects or waits for; undefined for other actions. */
export function isIntentMet(snapshot: PageSnapshot, intent: Intent | undefined): boolean | undefined {
  if (intent?.kind === 'expect') return isMet(snapshot, intent);
  if (intent?.kind !== 'wait' || intent.text === undefined) return undefined;
  return isMet(snapshot, { text: intent.text, ...(intent.hidden && { absent: true }) });
}

/** Searches each name, and the text of the whole page, because a text may span several nodes. */
function showsText(snapshot: PageSnapshot, text: string): boolean {
  const sought = normal(text);
  const names: string[] = [];
  const flowing: string[] = snapshot.nodes.filter((node) => typeof node === 'string');
  for (const { node } of walkNodes(snapshot.nodes)) {
    names.push(node.name ?? '', node.placeholder ?? '', node.text ?? '');
    if (!node.children) flowing.push(node.text ?? node.name ?? '');
    flowing.push(...(node.children ?? []).filter((child) => typeof child === 'string'));
  }
  return names.some((name) => normal(name).includes(sought)) || normal(flowing.join(' ')).includes(sought);
}
