import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Less is sent as it is: compressing it costs more than it saves. */
export const COMPRESS_ABOVE = 1024;

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const LAST_BLOCK = Buffer.from([3, 0]);
/** A frame goes to all viewers of its session as the same buffer, so it is compressed once for all of them. */
const packed = new WeakMap<Buffer, Buffer>();

/**
 * A live gzip stream of one viewer, made of blocks that stand for themselves: a small chunk is stored, a large one
 * compressed, and each is whole when it leaves, so nothing waits for what comes next and no viewer holds a window.
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

/** Ends at a byte and refers to nothing before it, so that it can follow any other block. */
function compressed(chunk: Buffer): Buffer {
  const known = packed.get(chunk);
  if (known !== undefined) return known;
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
