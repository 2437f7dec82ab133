import { randomUUID } from 'node:crypto';
import { errors, type Page } from 'playwright';
import type { PageLook, PageNode } from '../../contracts/page';
import type { Attachment } from './attachment';
import { learnGuardedFields } from './guarded-fields';
import { isGone } from './playwright-errors';
import { withinMs } from './limit';
import type { Values } from './secrets';

const LOOK_LIMIT_MS = 5000;
const ANSWER_LIMIT_MS = 2000;

/** Looks at the browser: the page in front as an accessibility tree, and the tabs. Secrets are masked before it leaves. */
export async function lookAt(attachment: Attachment, values: Values): Promise<PageLook> {
  const { page } = attachment;
  const [nodes, title, tabs] = await Promise.all([
    snapshot(page).catch((error: unknown) => unreadable(attachment, page, error)),
    titleOf(page),
    tabsOf(attachment.tabs, page),
  ]);
  if (await learnGuardedFields(page, values)) attachment.trace.taint();
  const shown = values.redactAll({ url: page.url(), title, tabs });
  return { lookId: randomUUID(), ...shown, nodes: nodes.map((node) => masked(node, values)) };
}

/** Only what the page says can be a secret: a password that reads like a role must not take the roles away. */
function masked(node: PageNode | string, values: Values): PageNode | string {
  if (typeof node === 'string') return values.redact(node);
  const shown: PageNode = { ...node };
  for (const key of ['name', 'text', 'placeholder', 'url'] as const) {
    const said = node[key];
    if (said !== undefined) shown[key] = values.redact(said);
  }
  if (node.children !== undefined) shown.children = node.children.map((child) => masked(child, values));
  return shown;
}

/** A page that is navigating has no tree for a moment: then once more, when its new document is there. */
async function snapshot(page: Page): Promise<(PageNode | string)[]> {
  const take = async (): Promise<(PageNode | string)[]> =>
    (await page.ariaSnapshotJSON({ mode: 'ai', timeout: LOOK_LIMIT_MS })) as unknown as (PageNode | string)[];
  try {
    return await take();
  } catch (error) {
    if (error instanceof errors.TimeoutError) throw error;
    await page.waitForLoadState('domcontentloaded', { timeout: LOOK_LIMIT_MS });
    return await take();
  }
}

/** The model is told, and finds itself in another tab with its next command; a lost connection is another matter. */
async function unreadable(attachment: Attachment, page: Page, error: unknown): Promise<string[]> {
  if (isGone(error) && (await attachment.isLost())) throw error;
  attachment.giveUp(page);
  return ['This page gives no answer any more. The next command runs in another tab: open the page again.'];
}

async function titleOf(page: Page): Promise<string> {
  return await withinMs(ANSWER_LIMIT_MS, page.title()).catch(() => '');
}

async function tabsOf(pages: readonly Page[], front: Page): Promise<PageLook['tabs']> {
  return await Promise.all(
    pages.map(async (page) => ({ title: await titleOf(page), url: page.url(), isActive: page === front })),
  );
}
