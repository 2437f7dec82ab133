import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright';
import type { PageLook, PageNode } from '../../contracts/page';
import type { Attachment } from './attachment';
import type { Values } from './secrets';

/** Looks at the browser: the page in front as an accessibility tree, and the tabs. Secrets are masked before it leaves. */
export async function lookAt(attachment: Attachment, values: Values): Promise<PageLook> {
  const { page, context } = attachment;
  const [nodes, title, tabs] = await Promise.all([snapshot(page), titleOf(page), tabsOf(context.pages(), page)]);
  if (await learnPasswords(page, values)) attachment.trace.taint();
  const look: PageLook = { lookId: randomUUID(), url: page.url(), title, tabs, nodes };
  return values.redactAll(look);
}

/** A page that is navigating has no tree for a moment: then once more, when its new document is there. */
async function snapshot(page: Page): Promise<(PageNode | string)[]> {
  const take = async (): Promise<(PageNode | string)[]> =>
    (await page.ariaSnapshotJSON({ mode: 'ai' })) as unknown as (PageNode | string)[];
  try {
    return await take();
  } catch {
    await page.waitForLoadState('domcontentloaded');
    return await take();
  }
}

async function titleOf(page: Page): Promise<string> {
  return await page.title().catch(() => '');
}

async function tabsOf(pages: readonly Page[], front: Page): Promise<PageLook['tabs']> {
  return await Promise.all(
    pages.map(async (page) => ({ title: await titleOf(page), url: page.url(), isActive: page === front })),
  );
}

/** A snapshot shows password fields in clear text, so whatever stands in one is a secret. True when there was any. */
async function learnPasswords(page: Page, values: Values): Promise<boolean> {
  const found = await Promise.all(
    page.frames().map((frame) =>
      frame
        .locator('input[type=password]')
        .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))
        .catch(() => []),
    ),
  );
  const passwords = found.flat().filter((value) => value !== '');
  for (const password of passwords) values.learnSecret(password);
  return passwords.length > 0;
}
