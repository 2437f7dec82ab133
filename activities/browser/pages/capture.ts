import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright';
import type { PictureBefore } from '../../../contracts/files/picture-box';
import type { Store } from '../../../store/store';
import type { ArtifactRow } from '../../../store/artifacts/artifacts';
import type { Attachment } from '../attach/attachment';
import { saveScreenshot, type CaptureMetadata } from '../../recorded/captures';
import { learnGuardedFields } from '../../secrets/guarded-fields';
import { withinMs } from '../../../runtime/time-limit';
import { withMaskedSecrets } from './screenshots/mask';
import type { SessionValues } from '../../secrets/session-values';
import { boxInView } from './element-box';
import { captureView } from './screenshots/png';
import { retryThroughNavigation } from './retry-through-navigation';

const SHOT_LIMIT_MS = 5000;
const DOM_LIMIT_MS = 3000;

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
  { clip, limitMs = SHOT_LIMIT_MS, element, before }: CaptureOptions = {},
): Promise<ArtifactRow> {
  const [data, target] = await Promise.all([
    takeMaskedPng(attachment, values, limitMs, clip),
    element && boxInView(element),
  ]);
  return await saveScreenshot(store, facts, screenshotId, Buffer.from(data, 'base64'), { target, before });
}

interface CaptureOptions {
  clip?: Clip | undefined;
  limitMs?: number;
  /** The element that was acted on: the picture says where it is. */
  element?: Locator | undefined;
  /** Where that was on the picture of the page before this one. */
  before?: PictureBefore | undefined;
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
  return await takeMasked(attachment, values, limitMs, () =>
    captureView(attachment, { format: 'png', optimizeForSpeed: true, ...(clip === undefined ? {} : { clip }) }),
  );
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
