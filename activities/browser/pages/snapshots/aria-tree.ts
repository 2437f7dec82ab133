import { randomUUID } from 'node:crypto';
import { errors, type Page } from 'playwright';
import type { PageNode } from '../../../../contracts/browsers/page-snapshot';
import type { Attachment } from '../../attach/attachment';
import { withinMs } from '../../../../runtime/time-limit';
import { openClosedRoots } from './closed-shadow-roots';
import { prune, restoreTraversal, type PruneMark } from './prune';
import { applyPruneMarks } from './prune-marks';
import { evaluateIn, forgetWorlds, likelyWorldsOf, worldsOf, type World } from '../isolated-worlds';
import { applySurveys, framesIn, refPrefixIn, type FrameNodes } from './survey/apply-survey';
import { inSightOrder } from './survey/sight-order';
import type { Survey } from './survey/survey';
import { collectHandlers, hasChanged, refPrefixOf, surveyFrame } from './survey/run-survey';

/** Limit for the new document of a page that navigates. */
const DOCUMENT_LIMIT_MS = 5000;
const PREPARE_LIMIT_MS = 5000;
/** How often a page is read that changes meanwhile. */
const MOST_TRIES = 3;
/** Smaller documents are taken whole: a snapshot of so many elements takes about 80 ms. */
const MIN_PRUNED_ELEMENTS = 2000;

export interface AriaTree {
  nodes: (PageNode | string)[];
  /** Values of password fields in any frame and shadow tree; undefined when not all frames answered. */
  passwords: string[] | undefined;
  /** Some frame has a canvas that takes the pointer. */
  hasCanvas: boolean;
}

/**
 * Reads the accessibility tree of the page in front. A page that navigates has none for a moment; then it is read
 * again from the new document.
 */
export async function readAriaTree(
  attachment: Attachment,
  words: readonly string[],
  boxes: boolean,
  limitMs: number,
): Promise<AriaTree> {
  const { page } = attachment;
  try {
    for (let tries = MOST_TRIES; ; tries -= 1) {
      const tree = await take(attachment, words, boxes, limitMs);
      if (!tree.isOutdated || tries === 1) return tree;
      forgetWorlds(page);
    }
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
): Promise<AriaTree & { isOutdated: boolean }> {
  const { page } = attachment;
  const state: PruneState = {
    worlds: [],
    marks: new Map(),
    passwords: [],
    hasCanvas: false,
    preparedFrames: 0,
    isTooLate: false,
    isRestored: false,
  };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const preparing = withinMs(PREPARE_LIMIT_MS, prepare(attachment, words, state, limitMs, begin)).catch(() => {});
  try {
    await Promise.race([begun, preparing]);
    const reading = rawTree(page, boxes, limitMs);
    // The survey needs them, and the tree does not.
    const collecting = Promise.all(state.worlds.map((world) => collectHandlers(world).catch(() => {})));
    const raw = await reading;
    await preparing;
    const tree = applyPruneMarks(raw, state.marks);
    const isWhole = state.preparedFrames >= page.frames().length;
    const passwords = isWhole ? state.passwords : undefined;
    const { hasCanvas } = state;
    if (state.isTooLate) return { nodes: tree, passwords, hasCanvas, isOutdated: true };
    const surveying = collecting.then(() => surveyed(tree, state.worlds));
    const nodes = await withinMs(PREPARE_LIMIT_MS, surveying).catch(() => tree);
    return { nodes: nodes ?? tree, passwords, hasCanvas, isOutdated: nodes === undefined };
  } finally {
    // Text selectors traverse the same way: none may be searched before the traversal is restored.
    await restoreFrames(state);
  }
}

async function rawTree(page: Page, boxes: boolean, limitMs: number): Promise<(PageNode | string)[]> {
  const tree = await page.ariaSnapshotJSON({ mode: 'ai', boxes, timeout: limitMs });
  return tree as unknown as (PageNode | string)[];
}

/** The nodes of a world's frame, by the prefix of its refs. */
async function frameOf(world: World, frames: readonly FrameNodes[]): Promise<FrameNodes | undefined> {
  const prefix = await refPrefixOf(world);
  return frames.find(({ nodes }) => prefix !== undefined && prefix === refPrefixIn(nodes));
}

/**
 * Adds to the tree what each frame's survey found. A frame that does not answer is shown as Playwright has it. Resolves to
 * undefined where a document has changed since the tree was read.
 */
async function surveyed(
  tree: (PageNode | string)[],
  worlds: readonly World[],
): Promise<(PageNode | string)[] | undefined> {
  const found = framesIn(tree);
  const surveys = await Promise.all(
    worlds
      .map(async (world) => {
        const frame = worlds.length === 1 ? found[0] : await frameOf(world, found);
        return frame === undefined ? [] : [{ frame, survey: await surveyFrame(world, frame.nodes) }];
      })
      .map((survey) => survey.catch(() => [])),
  );
  const all = surveys.flat();
  if (all.some(({ frame, survey }) => hasChanged(frame.nodes, survey))) return undefined;
  const boxes = Object.assign({}, ...all.map(({ survey }) => survey.boxes)) as Survey['boxes'];
  if (Object.keys(boxes).length === 0) return applySurveys(tree, all);
  // Locators count in the document's order: they are made of the tree in the order in which it is shown.
  const seen = inSightOrder(tree, boxes);
  const frames = framesIn(seen);
  return applySurveys(
    seen,
    all.map(({ frame, survey }) => ({
      frame: frames.find(({ nodes }) => refPrefixIn(nodes) === refPrefixIn(frame.nodes)) ?? frame,
      survey,
    })),
  );
}

/** The state of pruning one snapshot; on a slow page the snapshot may be taken before all frames are ready. */
interface PruneState {
  worlds: World[];
  marks: Map<string, PruneMark>;
  passwords: string[];
  hasCanvas: boolean;
  /** How many frames are ready. */
  preparedFrames: number;
  /** The tree was read before it could be known that its document is another one, or has shadow trees to be opened. */
  isTooLate: boolean;
  isRestored: boolean;
}

/**
 * Prepares every frame: prunes long runs and opens closed shadow trees. A frame that fails is read as it is. Calls `begin`
 * once each frame of a known document has been asked: a frame does in order what it is asked, so the tree can be asked for
 * before the answers. A new document is likelier to have closed shadow trees, which take further requests.
 */
async function prepare(
  attachment: Attachment,
  words: readonly string[],
  state: PruneState,
  limitMs: number,
  begin: () => void,
): Promise<void> {
  const likely = likelyWorldsOf(attachment.page);
  const worlds = likely ?? (await worldsOf(attachment));
  if (state.isRestored) return;
  state.worlds = worlds;
  const preparing = worlds.map(async (world) => {
    const isAsFound = await prepareFrame(world, words, state, limitMs).catch(() => false);
    if (likely !== undefined && !isAsFound) state.isTooLate = true;
  });
  if (likely !== undefined) begin();
  await Promise.all(preparing);
}

/** Resolves to false where a tree that was read meanwhile is of another document, or lacks a shadow tree. */
async function prepareFrame(
  world: World,
  words: readonly string[],
  state: PruneState,
  limitMs: number,
): Promise<boolean> {
  const nonce = randomUUID();
  let passwords: string[] = [];
  let isInView = true;
  const areOpened = await openClosedRoots(world, async () => {
    if (state.isRestored) return 0;
    const pruned = await evaluateIn(world, prune, pruneOptions(nonce, words, limitMs));
    // At once: the frame is pruned from now on, whether the rest is ready in time or not.
    pruned.marks.forEach((mark, index) => state.marks.set(`${nonce}:${index}`, mark));
    ({ passwords, isInView } = pruned);
    state.hasCanvas ||= pruned.hasCanvas;
    return pruned.hosts;
  });
  state.passwords.push(...passwords);
  state.preparedFrames += 1;
  return isInView && !areOpened;
}

async function restoreFrames(state: PruneState): Promise<void> {
  state.isRestored = true;
  const isClear = state.preparedFrames === state.worlds.length && state.marks.size === 0;
  if (isClear) return;
  const restored = Promise.all(state.worlds.map((world) => evaluateIn(world, restoreTraversal, null).catch(() => {})));
  await withinMs(PREPARE_LIMIT_MS, restored).catch(() => {});
}

/** A frame restores itself after the longest time that preparing and reading take. */
function pruneOptions(nonce: string, words: readonly string[], limitMs: number) {
  return { nonce, words: [...words], minElements: MIN_PRUNED_ELEMENTS, forMs: PREPARE_LIMIT_MS + limitMs };
}

/** Opens closed shadow trees to selectors, in a document of which no snapshot was taken. */
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
