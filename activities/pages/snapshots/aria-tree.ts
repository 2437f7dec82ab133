import { randomUUID } from 'node:crypto';
import { errors, type Page } from 'playwright';
import type { PageNode } from '../../../contracts/browsers/page-snapshot';
import type { Attachment } from '../../browsers/attachment';
import { withinMs } from '../../../runtime/time-limit';
import { openClosedRoots } from './closed-shadow-roots';
import { prune, restoreTraversal, type PruneMark } from './prune';
import { applyPruneMarks } from './prune-marks';
import { evaluateIn, worldsOf, type World } from '../isolated-worlds';

/** How long a page that is navigating may take until its new document is there. */
const DOCUMENT_LIMIT_MS = 5000;
const PREPARE_LIMIT_MS = 5000;
/** A snapshot of so many elements takes about 80 ms; larger documents are narrowed to what can be told of them. */
const MIN_PRUNED_ELEMENTS = 2000;

export interface AriaTree {
  nodes: (PageNode | string)[];
  /** What stands in password fields of any frame and shadow tree; undefined when not all frames could be asked. */
  passwords: string[] | undefined;
}

/** A page that is navigating has no tree for a moment: then once more, when its new document is there. */
export async function readAriaTree(
  attachment: Attachment,
  words: readonly string[],
  boxes: boolean,
  limitMs: number,
): Promise<AriaTree> {
  const { page } = attachment;
  try {
    return await take(attachment, words, boxes, limitMs);
  } catch (error) {
    if (error instanceof errors.TimeoutError) throw error;
    await page.waitForLoadState('domcontentloaded', { timeout: DOCUMENT_LIMIT_MS });
    return await take(attachment, words, boxes, limitMs);
  }
}

async function take(
  attachment: Attachment,
  words: readonly string[],
  boxes: boolean,
  limitMs: number,
): Promise<AriaTree> {
  const lens: PruneState = { worlds: [], marks: new Map(), passwords: [], preparedFrames: 0, isRestored: false };
  await withinMs(PREPARE_LIMIT_MS, prepare(attachment, words, lens, limitMs)).catch(() => {});
  try {
    const nodes = await rawTree(attachment.page, boxes, limitMs);
    const isWhole = lens.preparedFrames >= attachment.page.frames().length;
    return { nodes: applyPruneMarks(nodes, lens.marks), passwords: isWhole ? lens.passwords : undefined };
  } finally {
    // Selectors by text walk the same way: none may be searched before the world sees all again.
    await restoreFrames(lens);
  }
}

async function rawTree(page: Page, boxes: boolean, limitMs: number): Promise<(PageNode | string)[]> {
  const tree = await page.ariaSnapshotJSON({ mode: 'ai', boxes, timeout: limitMs });
  return tree as unknown as (PageNode | string)[];
}

/** What a look was given to see through, as far as it has come: a slow page may be looked at before all of it is there. */
interface PruneState {
  worlds: World[];
  marks: Map<string, PruneMark>;
  passwords: string[];
  /** Frames that are ready. */
  preparedFrames: number;
  isRestored: boolean;
}

/** Makes every frame ready: what is too long is passed over, what is closed is open. A frame that fails is seen as it is. */
async function prepare(
  attachment: Attachment,
  words: readonly string[],
  lens: PruneState,
  limitMs: number,
): Promise<void> {
  const worlds = await worldsOf(attachment);
  if (lens.isRestored) return;
  lens.worlds = worlds;
  await Promise.all(worlds.map((world) => prepareFrame(world, words, lens, limitMs).catch(() => {})));
}

async function prepareFrame(world: World, words: readonly string[], lens: PruneState, limitMs: number): Promise<void> {
  const nonce = randomUUID();
  let passwords: string[] = [];
  await openClosedRoots(world, async () => {
    if (lens.isRestored) return 0;
    const narrowed = await evaluateIn(world, prune, pruneOptions(nonce, words, limitMs));
    // At once: the frame is seen without its rows from now on, whether the rest is in time or not.
    narrowed.marks.forEach((mark, index) => lens.marks.set(`${nonce}:${index}`, mark));
    passwords = narrowed.passwords;
    return narrowed.hosts;
  });
  lens.passwords.push(...passwords);
  lens.preparedFrames += 1;
}

async function restoreFrames(lens: PruneState): Promise<void> {
  lens.isRestored = true;
  const isClear = lens.preparedFrames === lens.worlds.length && lens.marks.size === 0;
  if (isClear) return;
  const widened = Promise.all(lens.worlds.map((world) => evaluateIn(world, restoreTraversal, null).catch(() => {})));
  await withinMs(PREPARE_LIMIT_MS, widened).catch(() => {});
}

/** Frames show all again by themselves after the time that preparing and reading take at most. */
function pruneOptions(nonce: string, words: readonly string[], limitMs: number) {
  return { nonce, words: [...words], minElements: MIN_PRUNED_ELEMENTS, forMs: PREPARE_LIMIT_MS + limitMs };
}

/** Shows selectors what is in closed shadow trees, in a document that nobody has looked at yet. */
export async function exposeClosedShadowRoots(attachment: Attachment): Promise<void> {
  const nothingLeftOut = { nonce: '', words: [], minElements: Number.MAX_SAFE_INTEGER, forMs: 0 };
  const opening = worldsOf(attachment).then((worlds) =>
    Promise.all(
      worlds.map((world) =>
        openClosedRoots(world, async () => (await evaluateIn(world, prune, nothingLeftOut)).hosts).catch(() => {}),
      ),
    ),
  );
  await withinMs(PREPARE_LIMIT_MS, opening).catch(() => {});
}
