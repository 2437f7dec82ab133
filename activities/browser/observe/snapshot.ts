import { randomUUID } from 'node:crypto';
import { errors, type Page } from 'playwright';
import type { PageNode } from '../../../contracts/page';
import type { Attachment } from '../attachment';
import { withinMs } from '../limit';
import { openClosedRoots } from './closed-shadow';
import { narrow, widen, type RunMark } from './narrow';
import { readMarks } from './run-marks';
import { evaluateIn, worldsOf } from './worlds';

const LOOK_LIMIT_MS = 5000;
const PREPARE_LIMIT_MS = 2000;
/** A snapshot of so many elements takes about 80 ms; larger documents are narrowed to what can be told of them. */
const SMALLEST_NARROWED = 2000;

export interface Snapshot {
  nodes: (PageNode | string)[];
  /** What stands in password fields of any frame and shadow tree; undefined when not all frames could be asked. */
  passwords: string[] | undefined;
}

/** A page that is navigating has no tree for a moment: then once more, when its new document is there. */
export async function snapshotOf(attachment: Attachment, words: readonly string[], boxes: boolean): Promise<Snapshot> {
  const { page } = attachment;
  try {
    return await take(attachment, words, boxes);
  } catch (error) {
    if (error instanceof errors.TimeoutError) throw error;
    await page.waitForLoadState('domcontentloaded', { timeout: LOOK_LIMIT_MS });
    return await take(attachment, words, boxes);
  }
}

async function take(attachment: Attachment, words: readonly string[], boxes: boolean): Promise<Snapshot> {
  const prepared = await withinMs(PREPARE_LIMIT_MS, prepare(attachment, words)).catch(() => undefined);
  try {
    const nodes = await rawTree(attachment.page, boxes);
    return { nodes: readMarks(nodes, prepared?.marks ?? new Map()), passwords: prepared?.passwords };
  } finally {
    prepared?.restore();
  }
}

async function rawTree(page: Page, boxes: boolean): Promise<(PageNode | string)[]> {
  const tree = await page.ariaSnapshotJSON({ mode: 'ai', boxes, timeout: LOOK_LIMIT_MS });
  return tree as unknown as (PageNode | string)[];
}

/** Makes every frame ready: what is too long is passed over, what is closed is open. A frame that fails is seen as it is. */
async function prepare(
  attachment: Attachment,
  words: readonly string[],
): Promise<{ marks: Map<string, RunMark>; passwords: string[] | undefined; restore: () => void }> {
  const worlds = await worldsOf(attachment);
  const marks = new Map<string, RunMark>();
  const passwords: string[] = [];
  let answers = 0;
  await Promise.all(
    worlds
      .map(async (world) => {
        const nonce = randomUUID();
        let narrowed = await evaluateIn(world, narrow, narrowing(nonce, words));
        await openClosedRoots(world, async (isFirst) => {
          if (!isFirst) narrowed = await evaluateIn(world, narrow, narrowing(nonce, words));
          return narrowed.hosts;
        });
        narrowed.marks.forEach((mark, index) => marks.set(`${nonce}:${index}`, mark));
        passwords.push(...narrowed.passwords);
        answers += 1;
      })
      .map((work) => work.catch(() => {})),
  );
  return {
    marks,
    passwords: answers >= attachment.page.frames().length ? passwords : undefined,
    restore: () => worlds.forEach((world) => void evaluateIn(world, widen, null).catch(() => {})),
  };
}

function narrowing(nonce: string, words: readonly string[]) {
  return { nonce, words: [...words], smallest: SMALLEST_NARROWED, forMs: 2 * LOOK_LIMIT_MS };
}

/** Shows selectors what is in closed shadow trees, in a document that nobody has looked at yet. */
export async function pierce(attachment: Attachment): Promise<void> {
  const nothingLeftOut = { nonce: '', words: [], smallest: Number.MAX_SAFE_INTEGER, forMs: 0 };
  const opening = worldsOf(attachment).then((worlds) =>
    Promise.all(
      worlds.map((world) =>
        openClosedRoots(world, async () => (await evaluateIn(world, narrow, nothingLeftOut)).hosts).catch(() => {}),
      ),
    ),
  );
  await withinMs(PREPARE_LIMIT_MS, opening).catch(() => {});
}
