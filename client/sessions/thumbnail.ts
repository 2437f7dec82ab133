import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Wide enough to tell pages apart in a list. */
export const THUMBNAIL_WIDTH = 320;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a pixel by PNG's colour type: what Chromium writes, RGB and RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** A screenshot at a size for lists, each pixel the mean of those it stands for. A PNG that is narrow already stays as it is. */
export function toThumbnail(png: Buffer, width = THUMBNAIL_WIDTH): Buffer {
  const image = readHeader(png);
  if (image.width <= width) return png;
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  const pixels = inflateSync(readImageData(png));
  const { channels } = image;
  const stride = image.width * channels;
  const sums = new Float64Array(width * height * channels);
  const counts = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < image.height; y += 1) {
    const start = y * (stride + 1);
    const row = unfilterRow(pixels[start]!, pixels.subarray(start + 1, start + 1 + stride), above, channels);
    const line = Math.min(height - 1, Math.floor((y * height) / image.height)) * width;
    for (let x = 0; x < image.width; x += 1) {
      const at = line + Math.floor((x * width) / image.width);
      counts[at]! += 1;
      for (let channel = 0; channel < channels; channel += 1)
        sums[at * channels + channel]! += row[x * channels + channel]!;
    }
    above = row;
  }
  return encodePng(width, height, channels, (index) => sums[index]! / counts[Math.floor(index / channels)]!);
}

interface Header {
  width: number;
  height: number;
  channels: number;
}

function readHeader(png: Buffer): Header {
  const channels = CHANNELS[png[25] ?? -1];
  const isKnown = png.subarray(0, 8).equals(SIGNATURE) && png[24] === 8 && png[28] === 0;
  if (!isKnown || channels === undefined)
    throw new Error('Expected a PNG with 8 bits of RGB or RGBA, not interlaced, as a browser writes it.');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), channels };
}

function readImageData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(parts);
}

/** One row with its filter taken back (PNG, chapter 9): each byte is told by the ones left of it and above. */
function unfilterRow(filter: number, coded: Uint8Array, above: Uint8Array, channels: number): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(coded.length);
  for (let x = 0; x < coded.length; x += 1) {
    const left = x < channels ? 0 : row[x - channels]!;
    const up = above[x]!;
    const corner = x < channels ? 0 : above[x - channels]!;
    row[x] = coded[x]! + predictByte(filter, left, up, corner);
  }
  return row;
}

function predictByte(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const near = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(near - left), Math.abs(near - up), Math.abs(near - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function encodePng(width: number, height: number, channels: number, at: (index: number) => number): Buffer {
  const stride = width * channels;
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < stride; x += 1) rows[y * (stride + 1) + 1 + x] = Math.round(at(y * stride + x));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 3 ? 2 : 6], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(8 + body.length);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), 4 + body.length);
  return whole;
}
