const CLUSTER = 0x1f43b675;
/** An id of four bytes, and a size. */
const HEAD_BYTES = 12;
/** In a cluster: its time, then the heads of the block and of its frame. */
const BEFORE_IMAGE_BYTES = 17 + 9 + 4;

/** A frame of a film: a key frame of VP8, and the millisecond in which it begins. */
export interface FilmFrame {
  image: Buffer;
  startMs: number;
}

/**
 * Takes the key frame of VP8 out of a lossy picture in WebP, which is nothing else in a container of its own. Throws for
 * another picture.
 */
export function keyFrameOf(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length;) {
    const bytes = webp.readUInt32LE(at + 4);
    if (webp.toString('latin1', at, at + 4) === 'VP8 ') return webp.subarray(at + 8, at + 8 + bytes);
    at += 8 + bytes + (bytes % 2);
  }
  throw new Error('Expected a lossy picture in WebP, got one without a VP8 chunk.');
}

/** Writes a film as WebM: each frame in a cluster of its own, and an index before them, by which a player finds any moment. */
export function toWebm(frames: readonly FilmFrame[], durationMs: number): Buffer {
  const header = element(
    0x1a45dfa3,
    uint(0x4286, 1),
    uint(0x42f7, 1),
    uint(0x42f2, 4),
    uint(0x42f3, 8),
    text(0x4282, 'webm'),
    uint(0x4287, 2),
    uint(0x4285, 2),
  );
  const info = element(
    0x1549a966,
    uint(0x2ad7b1, 1_000_000),
    float(0x4489, durationMs),
    text(0x4d80, 'surefoot'),
    text(0x5741, 'surefoot'),
  );
  const sizes = frames.map(({ image }) => sizeOf(image));
  const view = element(
    0xe0,
    uint(0xb0, Math.max(...sizes.map(({ width }) => width))),
    uint(0xba, Math.max(...sizes.map(({ height }) => height))),
  );
  const track = element(0xae, uint(0xd7, 1), uint(0x73c5, 1), uint(0x83, 1), uint(0x9c, 0), text(0x86, 'V_VP8'), view);
  const tracks = element(0x1654ae6b, track);
  const clusters = frames.map(({ image, startMs }) =>
    // Of track 1, at the time of its cluster, a key frame.
    element(CLUSTER, uint(0xe7, startMs), element(0xa3, Buffer.from([0x81, 0, 0, 0x80]), image)),
  );
  // Every number has eight bytes, so the index is as long whatever it says.
  const before = info.length + tracks.length + indexOf(frames, clusters, 0).length;
  const segment = element(0x18538067, info, tracks, indexOf(frames, clusters, before), ...clusters);
  return Buffer.concat([header, segment]);
}

/** Reads the frames of a film that `toWebm` has written. */
export function framesOf(webm: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  // Behind the header, within the segment, every id has four bytes.
  for (let at = HEAD_BYTES + sizeAt(webm, 0) + HEAD_BYTES; at < webm.length; at += HEAD_BYTES + sizeAt(webm, at)) {
    if (webm.readUInt32BE(at) !== CLUSTER) continue;
    frames.push(webm.subarray(at + HEAD_BYTES + BEFORE_IMAGE_BYTES, at + HEAD_BYTES + sizeAt(webm, at)));
  }
  return frames;
}

function sizeAt(webm: Buffer, at: number): number {
  return webm.readUIntBE(at + 6, 6);
}

function indexOf(frames: readonly FilmFrame[], clusters: readonly Buffer[], before: number): Buffer {
  let position = before;
  const points = frames.map(({ startMs }, index) => {
    const point = element(0xbb, uint(0xb3, startMs), element(0xb7, uint(0xf7, 1), uint(0xf1, position)));
    position += clusters[index]!.length;
    return point;
  });
  return element(0x1c53bb6b, ...points);
}

/** By the header of a key frame (RFC 6386, section 9.1): 14 bits each, beside the scale. */
function sizeOf(image: Buffer): { width: number; height: number } {
  return { width: image.readUInt16LE(6) & 0x3fff, height: image.readUInt16LE(8) & 0x3fff };
}

/** An element (RFC 8794); its size is written in eight bytes. */
function element(id: number, ...content: Buffer[]): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(content.reduce((sum, { length }) => sum + length, 0)) | (1n << 56n));
  return Buffer.concat([Buffer.from(id.toString(16).padStart(id > 0xff ? 4 : 2, '0'), 'hex'), size, ...content]);
}

function uint(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return element(id, bytes);
}

function float(id: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, bytes);
}

function text(id: number, value: string): Buffer {
  return element(id, Buffer.from(value));
}
