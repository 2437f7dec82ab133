import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { RegionPicture } from './sight';
import type { RegionBox } from './rendered-page';

/** A letter differs in more pixels than this of a window; what Chrome draws anew of the same content differs in none. */
const TOLERATED_PIXELS = 5;
const WINDOW_PX = 16;
/** How far two colours are apart that a person takes for one, of 1 between black and white. */
const TOLERATED_DISTANCE = 0.08;
/** What moves is larger than what of it differs between two moments. */
const MOVING_MARGIN_PX = 12;
const CELL_PX = 16;

/** Whether two pictures of a region look alike where both were in view, but for the ignored places. */
export function looksAlike(one: RegionPicture, other: RegionPicture, ignored: readonly RegionBox[]): boolean {
  const shared = cut(one, other);
  if (shared === undefined) return true;
  const { width, height, first, second, at } = shared;
  const mask = new Uint8Array(width * height);
  for (const box of ignored) fill(mask, width, height, { ...box, x: box.x - at.x, y: box.y - at.y });
  const most = pixelmatch(first, second, undefined, width, height, {
    threshold: TOLERATED_DISTANCE,
    windowSize: WINDOW_PX,
    ignoreMask: mask,
  });
  return most <= TOLERATED_PIXELS;
}

/** The places of a region that were drawn otherwise at these moments: something moves there by itself. */
export function movingPlacesIn(pictures: readonly RegionPicture[]): RegionBox[] {
  const [first, ...later] = pictures;
  return later.flatMap((picture) => (first === undefined ? [] : differencesBetween(first, picture)));
}

function differencesBetween(one: RegionPicture, other: RegionPicture): RegionBox[] {
  const shared = cut(one, other);
  if (shared === undefined) return [];
  const { width, height, first, second, at } = shared;
  const output = new Uint8Array(width * height * 4);
  const options = { threshold: TOLERATED_DISTANCE, diffMask: true, includeAA: true };
  if (pixelmatch(first, second, output, width, height, options) === 0) return [];
  const cells = new Map<string, RegionBox>();
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (output[pixel * 4 + 3] === 0) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)].map((each) => each - (each % CELL_PX)) as [
      number,
      number,
    ];
    const margin = 2 * MOVING_MARGIN_PX;
    const place = { x: x + at.x - MOVING_MARGIN_PX, y: y + at.y - MOVING_MARGIN_PX };
    cells.set(`${x} ${y}`, { ...place, width: CELL_PX + margin, height: CELL_PX + margin });
  }
  return [...cells.values()];
}

interface Shared {
  width: number;
  height: number;
  first: Uint8Array;
  second: Uint8Array;
  /** Relative to the region. */
  at: { x: number; y: number };
}

/** The pixels that both pictures have. */
function cut(one: RegionPicture, other: RegionPicture): Shared | undefined {
  const at = {
    x: Math.max(Math.round(one.x), Math.round(other.x)),
    y: Math.max(Math.round(one.y), Math.round(other.y)),
  };
  const [a, b] = [one, other].map(({ png }) => PNG.sync.read(Buffer.from(png, 'base64'))) as unknown as [PNG, PNG];
  const width = Math.min(Math.round(one.x) + a.width, Math.round(other.x) + b.width) - at.x;
  const height = Math.min(Math.round(one.y) + a.height, Math.round(other.y) + b.height) - at.y;
  if (width <= 0 || height <= 0) return undefined;
  const part = (image: PNG, { x, y }: RegionPicture): Uint8Array => {
    const copy = new PNG({ width, height });
    PNG.bitblt(image, copy, at.x - Math.round(x), at.y - Math.round(y), width, height, 0, 0);
    return copy.data;
  };
  return { width, height, first: part(a, one), second: part(b, other), at };
}

function fill(mask: Uint8Array, width: number, height: number, box: RegionBox): void {
  const [left, right] = [box.x, box.x + box.width].map((x) => Math.min(width, Math.max(0, Math.floor(x)))) as [
    number,
    number,
  ];
  const [top, bottom] = [box.y, box.y + box.height].map((y) => Math.min(height, Math.max(0, Math.floor(y)))) as [
    number,
    number,
  ];
  for (let y = top; y < bottom; y += 1) mask.fill(1, y * width + left, y * width + right);
}
