import type { Frame, Page } from 'playwright';
import { walkNodes, type PageNode } from '../../../../contracts/browsers/page-snapshot';
import { containsText } from '../../../../rules/page-text/contains-text';

const SNAPSHOT_LIMIT_MS = 5000;

/**
 * True when a reader of the page (any frame, open shadow roots too) finds this text, or a control of that name, label or
 * placeholder. Rejects when the page can't be read just now: then nothing is known, neither that it is there nor that
 * it is not.
 */
export async function isTextVisible(page: Page, wanted: string, matchCase = false): Promise<boolean> {
  const shows = (text: string): boolean => containsText(text, wanted, matchCase);
  for (const { node } of walkNodes(await nodesOf(page))) {
    const own = (node.children ?? []).filter((child) => typeof child === 'string');
    if ([node.name ?? '', node.placeholder ?? '', node.text ?? '', ...own].some(shows)) return true;
  }
  // Text that spans several elements is in one piece only where it is laid out.
  const inner = page.frames().filter((frame) => frame !== page.mainFrame());
  const texts = await Promise.all([
    textOf(page.mainFrame()),
    // A frame comes and goes without the page.
    ...inner.map((frame) => textOf(frame).catch(() => '')),
  ]);
  return texts.some(shows);
}

/** True when an element of one of these roles is named by the text; a `generic` one counts where it can be clicked. */
export async function isElementVisible(
  page: Page,
  wanted: string | undefined,
  roles: readonly string[],
  matchCase = false,
): Promise<boolean> {
  for (const { node } of walkNodes(await nodesOf(page))) {
    if (!roles.includes(node.role) || (node.role === 'generic' && node.cursor !== 'pointer')) continue;
    const texts = [node.name ?? '', node.placeholder ?? '', textInside(node)];
    if (wanted === undefined || texts.some((text) => containsText(text, wanted, matchCase))) return true;
  }
  return false;
}

function textInside(node: PageNode): string {
  const inner = (node.children ?? []).map((child) => (typeof child === 'string' ? child : textInside(child)));
  return [node.text ?? '', ...inner].join(' ');
}

async function nodesOf(page: Page): Promise<(PageNode | string)[]> {
  const nodes = await page.ariaSnapshotJSON({ mode: 'ai', timeout: SNAPSHOT_LIMIT_MS });
  return nodes as unknown as (PageNode | string)[];
}

async function textOf(frame: Frame): Promise<string> {
  return await frame.evaluate(() => document.body?.innerText ?? document.documentElement?.textContent ?? '');
}
