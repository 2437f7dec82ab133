import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Smaller chunks are not compressed. */
export const COMPRESS_ABOVE = 1024;

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const LAST_BLOCK = Buffer.from([3, 0]);
/** Viewers of a session share the buffers of frames, so each frame is compressed once. */
const packed = new WeakMap<Buffer, Buffer>();

/**
 * Writes a live gzip stream of independent blocks: a small chunk is stored, a large one compressed. Each block is complete
 * when it is sent, so no frame is delayed and no viewer needs a compression window.
 */
export async function* gzipped(chunks: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  let checksum = 0;
  let length = 0;
  let head = HEADER;
  for await (const chunk of chunks) {
    checksum = crc32(chunk, checksum);
    length = (length + chunk.length) >>> 0;
    yield Buffer.concat([head, chunk.length > COMPRESS_ABOVE ? compressed(chunk) : stored(chunk)]);
    head = Buffer.alloc(0);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(checksum, 0);
  tail.writeUInt32LE(length, 4);
  yield Buffer.concat([head, LAST_BLOCK, tail]);
}

/** Compresses a block that ends at a byte boundary and refers to no earlier block. */
function compressed(chunk: Buffer): Buffer {
  const cached = packed.get(chunk);
  if (cached !== undefined) return cached;
  const block = deflateRawSync(chunk, { finishFlush: constants.Z_SYNC_FLUSH });
  packed.set(chunk, block);
  return block;
}

function stored(chunk: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(chunk.length, 1);
  head.writeUInt16LE(~chunk.length & 0xffff, 3);
  return Buffer.concat([head, chunk]);
}
