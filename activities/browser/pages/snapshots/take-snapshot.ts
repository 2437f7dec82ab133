import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright';
import { walkNodes, type PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import type { Attachment } from '../../attach/attachment';
import { learnGuardedFields } from '../../../secrets/guarded-fields';
import { isTargetClosed } from '../../attach/playwright-errors';
import { hasSameContent, markChanges } from '../../../../rules/page-text/changes';
import { annotationsOf, takeAnnotatedScreenshot } from '../screenshots/annotated-screenshot';
import { readAriaTree, type AriaTree } from './aria-tree';
import { redactNodes } from './redact-nodes';
import { titleOf } from '../page-title';
import { readPatiently } from '../read-patiently';
import type { SessionValues } from '../../../secrets/session-values';

interface ScreenshotOptions {
  hasBoxes: boolean;
  /** Saves the screenshot as an artifact and resolves to its id. */
  save: (content: Buffer) => Promise<string>;
}

/** What a snapshot has to contain. */
export interface SnapshotOptions {
  /** Relevant words: elements with them are kept where a long page is pruned. */
  words: readonly string[];
  /** The previous snapshot, to mark what changed since. */
  before?: PageSnapshot | null;
  /** Present where the model also gets a screenshot. */
  picture?: ScreenshotOptions | undefined;
}

/**
 * Takes a snapshot of the browser: the page in front as an accessibility tree, and the tabs. Secrets are redacted.
 */
export async function takeSnapshot(
  attachment: Attachment,
  values: SessionValues,
  { words, before, picture }: SnapshotOptions,
): Promise<PageSnapshot> {
  const { page } = attachment;
  const [{ nodes, passwords, hasCanvas }, tabs] = await Promise.all([
    readTreeOrMarkUnusable(attachment, page, (limitMs) =>
      readAriaTree(attachment, words, picture !== undefined, limitMs),
    ),
    tabsOf(attachment.tabs, page),
  ]);
  for (const password of passwords ?? []) values.addSecret(password);
  const needsFieldScan = passwords === undefined || values.hasSecrets;
  const isGuarded = needsFieldScan && (await learnGuardedFields(page, values));
  if (isGuarded || (passwords ?? []).length > 0) attachment.trace.taint();
  const { title = '' } = tabs.find(({ isActive }) => isActive) ?? {};
  const shown = values.redactAll({ url: page.url(), title, tabs });
  const redacted = redactNodes(nodes, values);
  const screenshot = picture && (await saveAnnotatedScreenshot(attachment, values, picture, nodes, redacted));
  const isUnchanged =
    before && isDeepStrictEqual([before.url, before.title, before.tabs], [shown.url, shown.title, shown.tabs])
      ? hasSameContent(before.nodes, redacted)
      : false;
  return {
    snapshotId: randomUUID(),
    ...shown,
    ...(isUnchanged && { isUnchanged }),
    ...(hasCanvas && { hasCanvas }),
    nodes: before && isSamePage(before.url, shown.url) ? markChanges(before.nodes, redacted) : redacted,
    ...(screenshot === undefined ? {} : { picture: screenshot }),
  };
}

/** False for another page, where everything would be new. */
export function isSamePage(before: string, now: string): boolean {
  const [one, other] = [before, now].map((url) => url.split(/[?#]/)[0]);
  return one === other;
}

/**
 * Resolves to undefined when no screenshot can be taken, and the model gets the text alone. In a session with secrets
 * that is so where the snapshot omits a part of the page: a secret there could not be masked.
 */
async function saveAnnotatedScreenshot(
  attachment: Attachment,
  values: SessionValues,
  { hasBoxes, save: keep }: ScreenshotOptions,
  nodes: AriaTree['nodes'],
  redacted: AriaTree['nodes'],
): Promise<PageSnapshot['picture']> {
  if (values.hasSecrets && [...walkNodes(nodes)].some(({ node }) => node.omitted !== undefined)) return undefined;
  try {
    const content = await takeAnnotatedScreenshot(attachment, annotationsOf(nodes, redacted, hasBoxes));
    return { artifactId: await keep(content), hasBoxes };
  } catch {
    return undefined;
  }
}

/**
 * Marks a tab as unusable only when its page no longer answers: the snapshot says so, and the next command runs in
 * another tab.
 */
async function readTreeOrMarkUnusable(
  attachment: Attachment,
  page: Page,
  take: (limitMs: number) => Promise<AriaTree>,
): Promise<AriaTree> {
  try {
    return await readPatiently(page, take);
  } catch (error) {
    if (isTargetClosed(error) && (await attachment.isLost())) throw error;
    attachment.markUnusable(page);
    const nodes = ['This page no longer answers. The next command runs in another tab: open the page again.'];
    return { nodes, passwords: undefined, hasCanvas: false };
  }
}

async function tabsOf(pages: readonly Page[], front: Page): Promise<PageSnapshot['tabs']> {
  return await Promise.all(
    pages.map(async (page) => ({ title: await titleOf(page), url: page.url(), isActive: page === front })),
  );
}
