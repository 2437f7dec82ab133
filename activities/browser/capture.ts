import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/store';
import type { ArtifactRow } from '../../store/artifacts';
import type { Attachment } from './attachment';
import type { CommandPlace } from './command-records';
import type { Values } from './secrets';

const SHOT_LIMIT_MS = 5000;
/** More of a page is cut, and said to be cut (S1.A38). */
const MAX_DOM = 1_000_000;

/** Where a capture belongs. */
interface CaptureFacts extends Omit<CommandPlace, 'turn'> {
  commandId?: string | undefined;
  action: string;
}

export function newScreenshotId({ sessionId, action }: CaptureFacts): string {
  return `${sessionId}_${Date.now()}_${action}_${randomUUID()}`;
}

/** The page in front as it looks now, stored under the id it was announced with. */
export async function captureScreenshot(
  store: Store,
  attachment: Attachment,
  facts: CaptureFacts,
  screenshotId: string,
): Promise<ArtifactRow> {
  const session = await attachment.cdp(attachment.page);
  const { data } = await withinMs(SHOT_LIMIT_MS, session.send('Page.captureScreenshot', { format: 'png' }));
  const content = Buffer.from(data, 'base64');
  const { sessionId, stepIndex, commandId, action } = facts;
  return await store.artifacts.save({
    sessionId,
    artifactId: screenshotId,
    kind: 'screenshot',
    content,
    stepIndex,
    commandId,
    // A PNG tells its size in its first chunk.
    facts: { actionType: action, width: content.readUInt32BE(16), height: content.readUInt32BE(20) },
  });
}

/** The whole DOM of the page in front, secrets masked; empty where the page has none at the moment. */
export async function captureDom(attachment: Attachment, values: Values): Promise<string> {
  const dom = await attachment.page.content().catch(() => '');
  return values.redact(dom);
}

export async function saveDom(store: Store, facts: CaptureFacts, domId: string, dom: string): Promise<void> {
  const { sessionId, stepIndex, commandId } = facts;
  const isTruncated = dom.length > MAX_DOM;
  await store.artifacts.save({
    sessionId,
    artifactId: domId,
    kind: 'dom',
    content: isTruncated ? dom.slice(0, MAX_DOM) : dom,
    stepIndex,
    commandId,
    facts: isTruncated ? { domTruncated: true, domLength: dom.length } : { domLength: dom.length },
  });
}

async function withinMs<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no screenshot within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
