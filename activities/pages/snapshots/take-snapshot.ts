import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright';
import { walkNodes, type PageSnapshot, type PageNode } from '../../../contracts/browsers/page-snapshot';
import type { Attachment } from '../../browsers/attachment';
import { learnGuardedFields } from '../../secrets/guarded-fields';
import { withinMs } from '../../../runtime/time-limit';
import { isTargetClosed } from '../../browsers/playwright-errors';
import { markChanges } from './changes';
import { annotationsOf, takeAnnotatedScreenshot } from '../screenshots/annotated-screenshot';
import { readAriaTree, type AriaTree } from './aria-tree';
import { titleOf } from '../page-title';
import type { SessionValues } from '../../secrets/session-values';

interface ScreenshotOptions {
  hasBoxes: boolean;
  /** Keeps it as an artifact, and resolves to its id. */
  save: (content: Buffer) => Promise<string>;
}

/** What a look is for. */
export interface SnapshotOptions {
  /** Of the goal: what has them is kept where the rest of a long page is left out. */
  words: readonly string[];
  /** The look before, for what changed since. */
  before?: PageSnapshot | null;
  /** Where the model is to have a picture as well. */
  picture?: ScreenshotOptions | undefined;
}

/** Looks at the browser: the page in front as an accessibility tree, and the tabs. Secrets are masked before it leaves. */
export async function takeSnapshot(
  attachment: Attachment,
  values: SessionValues,
  { words, before, picture }: SnapshotOptions,
): Promise<PageSnapshot> {
  const { page } = attachment;
  const [{ nodes, passwords }, title, tabs] = await Promise.all([
    readTreeOrMarkUnusable(attachment, page, (limitMs) =>
      readAriaTree(attachment, words, picture !== undefined, limitMs),
    ),
    titleOf(page),
    tabsOf(attachment.tabs, page),
  ]);
  for (const password of passwords ?? []) values.addSecret(password);
  const isAsked = passwords === undefined || values.hasSecrets;
  const isGuarded = isAsked && (await learnGuardedFields(page, values));
  if (isGuarded || (passwords ?? []).length > 0) attachment.trace.taint();
  const shown = values.redactAll({ url: page.url(), title, tabs });
  const masks = nodes.map((node) => redactNode(node, values));
  const kept = picture && (await saveAnnotatedScreenshot(attachment, values, picture, nodes, masks));
  return {
    snapshotId: randomUUID(),
    ...shown,
    nodes: before && isSamePage(before.url, shown.url) ? markChanges(before.nodes, masks) : masks,
    ...(kept === undefined ? {} : { picture: kept }),
  };
}

/** On another page all is new. */
function isSamePage(before: string, now: string): boolean {
  const [one, other] = [before, now].map((url) => url.split(/[?#]/)[0]);
  return one === other;
}

/** Undefined where there is none: the text has to do then. What was left out can't be covered if it is a secret. */
async function saveAnnotatedScreenshot(
  attachment: Attachment,
  values: SessionValues,
  { hasBoxes, save: keep }: ScreenshotOptions,
  nodes: AriaTree['nodes'],
  masks: AriaTree['nodes'],
): Promise<PageSnapshot['picture']> {
  if (values.hasSecrets && [...walkNodes(nodes)].some(({ node }) => node.omitted !== undefined)) return undefined;
  try {
    const content = await takeAnnotatedScreenshot(attachment, annotationsOf(nodes, masks, hasBoxes));
    return { artifactId: await keep(content), hasBoxes };
  } catch {
    return undefined;
  }
}

/** Only what the page says can be a secret: a password that reads like a role must not take the roles away. */
function redactNode(node: PageNode | string, values: SessionValues): PageNode | string {
  if (typeof node === 'string') return values.redact(node);
  const { box: _box, ...shown }: PageNode = { ...node };
  for (const key of ['name', 'text', 'placeholder', 'url'] as const) {
    const said = node[key];
    if (said !== undefined) shown[key] = values.redact(said);
  }
  if (node.anchor !== undefined) shown.anchor = values.redactAll(node.anchor);
  if (node.children !== undefined) shown.children = node.children.map((child) => redactNode(child, values));
  return shown;
}

const SNAPSHOT_LIMIT_MS = 5000;
/** For a page that is slow but answers, as on a busy machine. */
const SLOW_SNAPSHOT_LIMIT_MS = 20_000;
/** A page whose script never ends does not answer at all; one that renders on a busy machine was seen to take 15 s. */
const ANSWER_LIMIT_MS = 25_000;

/** Gives a tab up only when its page does not answer any more: the model is told, and its next command runs in another tab. */
async function readTreeOrMarkUnusable(
  attachment: Attachment,
  page: Page,
  take: (limitMs: number) => Promise<AriaTree>,
): Promise<AriaTree> {
  try {
    return await take(SNAPSHOT_LIMIT_MS).catch(async (error: unknown) => {
      await withinMs(ANSWER_LIMIT_MS, page.evaluate('0')).catch(() => {
        throw error;
      });
      return await take(SLOW_SNAPSHOT_LIMIT_MS);
    });
  } catch (error) {
    if (isTargetClosed(error) && (await attachment.isLost())) throw error;
    attachment.markUnusable(page);
    const nodes = ['This page gives no answer any more. The next command runs in another tab: open the page again.'];
    return { nodes, passwords: undefined };
  }
}

async function tabsOf(pages: readonly Page[], front: Page): Promise<PageSnapshot['tabs']> {
  return await Promise.all(
    pages.map(async (page) => ({ title: await titleOf(page), url: page.url(), isActive: page === front })),
  );
}
