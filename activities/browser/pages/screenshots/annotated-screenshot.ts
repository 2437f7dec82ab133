import { VIEWPORT } from '../../../../contracts/browsers/viewport';
import type { PageNode } from '../../../../contracts/browsers/page-snapshot';
import type { Attachment } from '../../attach/attachment';
import { withinMs } from '../../../../runtime/time-limit';
import { captureView } from './png';
import { evaluateIn, worldsOf } from '../isolated-worlds';

const SHOT_LIMIT_MS = 5000;
/** What every vendor accepts without scaling it down. */
const LONGEST_EDGE = 1568;
const MOST_PIXELS = 1_150_000;
const INTERACTIVE_ROLES =
  /^(button|link|textbox|searchbox|checkbox|radio|combobox|listbox|option|switch|slider|spinbutton|tab|menuitem|treeitem)$/;

type Box = NonNullable<PageNode['box']>;

/** What is painted over a screenshot: black over secrets, a frame with its ref around each interactive element. */
export interface Annotations {
  covers: Box[];
  labels: { box: Box; text: string }[];
}

export function scaleFor(width: number, height: number): number {
  return Math.min(1, LONGEST_EDGE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
}

/** Compares a raw tree with its redacted copy: where they differ there is a secret to cover. */
export function annotationsOf(
  raw: readonly (PageNode | string)[],
  masked: readonly (PageNode | string)[],
  hasLabels: boolean,
): Annotations {
  const painting: Annotations = { covers: [], labels: [] };
  collect(raw, masked, { x: 0, y: 0 }, painting);
  return hasLabels ? painting : { ...painting, labels: [] };
}

function collect(
  raw: readonly (PageNode | string)[],
  masked: readonly (PageNode | string)[],
  offset: { x: number; y: number },
  painting: Annotations,
  around?: Box,
): void {
  raw.forEach((node, index) => {
    const shown = masked[index];
    if (typeof node === 'string' || typeof shown === 'string' || shown === undefined) {
      // Plain text has no box of its own, so its container is covered.
      if (node !== shown && around !== undefined) painting.covers.push(around);
      return;
    }
    const box = node.box && { ...node.box, x: node.box.x + offset.x, y: node.box.y + offset.y };
    const isSecret = node.text !== shown.text || node.name !== shown.name || node.placeholder !== shown.placeholder;
    if (isSecret && box !== undefined) painting.covers.push(box);
    if (box !== undefined && node.ref !== undefined && (INTERACTIVE_ROLES.test(node.role) || node.cursor === 'pointer'))
      painting.labels.push({ box, text: node.ref });
    // Boxes in a frame are relative to the frame.
    const inner = node.role === 'iframe' && box !== undefined ? { x: box.x, y: box.y } : offset;
    collect(node.children ?? [], shown.children ?? [], inner, painting, box ?? around);
  });
}

/** Captures the visible part of the page in front as a PNG within the vendors' limits. */
export async function takeAnnotatedScreenshot(
  attachment: Attachment,
  { covers, labels }: Annotations,
): Promise<Buffer> {
  return await withinMs(SHOT_LIMIT_MS, annotate(attachment, covers, labels));
}

async function annotate(
  attachment: Attachment,
  covers: Annotations['covers'],
  labels: Annotations['labels'],
): Promise<Buffer> {
  const { width, height } = await viewOf(attachment);
  const scale = scaleFor(width, height);
  const data = await captureView(attachment, { format: 'png', clip: { x: 0, y: 0, width, height, scale } });
  const isScaled = attachment.hasDevTools || scale === 1;
  if (isScaled && covers.length === 0 && labels.length === 0) return Buffer.from(data, 'base64');
  const painting = { data, covers, labels, scale, isScaled };
  if (!attachment.hasDevTools)
    return Buffer.from(await attachment.besides((page) => page.evaluate(paint, painting)), 'base64');
  const [world] = await worldsOf(attachment);
  // A screenshot that can't be annotated could show a secret.
  if (world === undefined) throw new Error('the page has no isolated world to paint in');
  return Buffer.from(await evaluateIn(world, paint, painting), 'base64');
}

async function viewOf(attachment: Attachment): Promise<{ width: number; height: number }> {
  const { page } = attachment;
  if (!attachment.hasDevTools) return page.viewportSize() ?? VIEWPORT;
  const session = await attachment.cdp(page);
  const { clientWidth: width, clientHeight: height } = (await session.send('Page.getLayoutMetrics')).cssVisualViewport;
  return { width, height };
}

type Painting = Annotations & { data: string; scale: number; isScaled: boolean };

/** Runs where no script of the page is, on a canvas outside the document. */
async function paint({ data, covers, labels, scale, isScaled }: Painting): Promise<string> {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const factor = isScaled ? 1 : scale;
  const canvas = new OffscreenCanvas(Math.round(image.width * factor), Math.round(image.height * factor));
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (const { x, y, width, height } of covers) context.fillRect(x * scale, y * scale, width * scale, height * scale);
  context.font = 'bold 11px sans-serif';
  context.textBaseline = 'top';
  for (const { box, text } of labels) {
    const [x, y, width, height] = [box.x * scale, box.y * scale, box.width * scale, box.height * scale];
    if (width < 1 || height < 1 || x > canvas.width || y > canvas.height || x + width < 0 || y + height < 0) continue;
    context.strokeStyle = '#d00';
    context.strokeRect(x, y, width, height);
    const wide = context.measureText(text).width + 4;
    const top = Math.max(0, y - 12);
    context.fillStyle = '#d00';
    context.fillRect(x, top, wide, 12);
    context.fillStyle = '#fff';
    context.fillText(text, x + 2, top + 1);
  }
  const painted = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  let text = '';
  for (let start = 0; start < painted.length; start += 8192)
    text += String.fromCharCode(...painted.subarray(start, start + 8192));
  return btoa(text);
}
