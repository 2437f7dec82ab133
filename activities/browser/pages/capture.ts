import { randomUUID } from 'node:crypto';
import type { CDPSession } from 'playwright';
import type { Store } from '../../../store/store';
import type { ArtifactRow } from '../../../store/artifacts/artifacts';
import type { Attachment } from '../attach/attachment';
import type { CommandPlace } from '../../recorded/command-records';
import { learnGuardedFields } from '../../secrets/guarded-fields';
import { withinMs } from '../../../runtime/time-limit';
import { withMaskedSecrets } from './screenshots/mask';
import type { SessionValues } from '../../secrets/session-values';
import { capturePng } from './screenshots/png';
import { pngSize } from './screenshots/png-size';
import { retryThroughNavigation } from './retry-through-navigation';

const SHOT_LIMIT_MS = 5000;
const DOM_LIMIT_MS = 3000;
/** A longer DOM is truncated, and marked as truncated (S1.A38). */
const MAX_DOM = 1_000_000;

/** What a capture belongs to. */
interface CaptureMetadata extends Omit<CommandPlace, 'turn'> {
  commandId?: string | undefined;
  action: string;
}

export function newScreenshotId({ sessionId, action }: CaptureMetadata): string {
  return `${sessionId}_${Date.now()}_${action}_${randomUUID()}`;
}

/** Captures the page in front, with secrets masked, and saves it under the id that was announced. */
export async function captureScreenshot(
  store: Store,
  attachment: Attachment,
  values: SessionValues,
  facts: CaptureMetadata,
  screenshotId: string,
  { clip, limitMs = SHOT_LIMIT_MS }: { clip?: Clip | undefined; limitMs?: number } = {},
): Promise<ArtifactRow> {
  const data = await takeMaskedPng(attachment, values, limitMs, clip);
  return await saveScreenshot(store, facts, screenshotId, Buffer.from(data, 'base64'));
}

export async function saveScreenshot(
  store: Store,
  facts: CaptureMetadata,
  screenshotId: string,
  content: Buffer,
): Promise<ArtifactRow> {
  const { sessionId, stepIndex, commandId, action } = facts;
  return await store.artifacts.save({
    sessionId,
    artifactId: screenshotId,
    kind: 'screenshot',
    content,
    stepIndex,
    commandId,
    facts: { actionType: action, ...pngSize(content) },
  });
}

/** A part of the view in CSS pixels, and its scale. */
interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
  scale: number;
}

async function takeMaskedPng(
  attachment: Attachment,
  values: SessionValues,
  limitMs: number,
  clip?: Clip,
): Promise<string> {
  return await takeMasked(attachment, values, limitMs, async () => {
    const session = await attachment.cdp(attachment.page);
    const region = clip === undefined ? {} : { clip: await toDocumentClip(session, clip) };
    return await capturePng(session, { optimizeForSpeed: true, ...region });
  });
}

/** Takes a picture of the page in front while its secrets are masked. */
export async function takeMasked(
  attachment: Attachment,
  values: SessionValues,
  limitMs: number,
  take: () => Promise<string>,
): Promise<string> {
  // A page may have reformatted a secret that was typed into a field.
  if (values.hasSecrets) await learnGuardedFields(attachment.page, values);
  const { pageSearch } = values;
  if (pageSearch === undefined) return await withinMs(limitMs, take());
  return await withMaskedSecrets(attachment, pageSearch, limitMs, take);
}

/** Chrome measures a clip from the top of the document. */
async function toDocumentClip(session: CDPSession, clip: Clip): Promise<Clip> {
  const { cssVisualViewport } = await session.send('Page.getLayoutMetrics');
  return { ...clip, x: clip.x + cssVisualViewport.pageX, y: clip.y + cssVisualViewport.pageY };
}

/** The page's DOM and facts from one round trip, not yet redacted. */
export interface CapturedPage {
  dom: string;
  title: string;
  /** Milliseconds from the start of the navigation to the latest completed phase of loading (S1.41.6). */
  loadTime?: number | undefined;
}

/** Reads the whole DOM of the page in front; empty when the page has none or does not answer. Never rejects. */
export async function captureDom(attachment: Attachment, values: SessionValues): Promise<CapturedPage> {
  try {
    const { passwords, ...captured } = await withinMs(
      DOM_LIMIT_MS,
      retryThroughNavigation(DOM_LIMIT_MS, () => attachment.page.evaluate(readPage)),
    );
    for (const password of passwords) values.addSecret(password);
    if (passwords.length > 0) attachment.trace.taint();
    return captured;
  } catch {
    return { dom: '', title: '' };
  }
}

/** Runs in the page. The markup may contain what is in a password field. */
function readPage(): CapturedPage & { passwords: string[] } {
  const { doctype, documentElement, title } = document;
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // A page that changed its address by script was not loaded under it.
  const isOwn = entry?.name === location.href.split('#')[0];
  const until = entry === undefined ? 0 : entry.loadEventEnd || entry.domContentLoadedEventEnd || entry.responseEnd;
  const fields = document.querySelectorAll<HTMLInputElement>('input[type=password]');
  return {
    dom: (doctype === null ? '' : new XMLSerializer().serializeToString(doctype)) + (documentElement?.outerHTML ?? ''),
    title,
    ...(isOwn && until > 0 ? { loadTime: Math.round(until) } : {}),
    passwords: [...fields].flatMap(({ value, defaultValue }) => [value, defaultValue]).filter((text) => text !== ''),
  };
}

export async function saveDom(store: Store, facts: CaptureMetadata, domId: string, dom: string): Promise<void> {
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
