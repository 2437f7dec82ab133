import { crc32, deflateSync } from 'node:zlib';

/** An RGB picture as PNG; each row has the filter that `filterOf` names, so that a reader has to know them all. */
export function aPng(
  width: number,
  height: number,
  pixel: (x: number, y: number) => [number, number, number],
  filterOf: (y: number) => number = () => 0,
): Buffer {
  const stride = width * 3;
  const plain = Array.from({ length: height }, (_, y) =>
    Uint8Array.from({ length: stride }, (__, at) => pixel(Math.floor(at / 3), y)[at % 3]!),
  );
  const rows = plain.map((row, y) => {
    const above = plain[y - 1] ?? new Uint8Array(stride);
    const filter = filterOf(y);
    return Uint8Array.from([
      filter,
      ...row.map((value, at) => value - predicted(filter, row[at - 3] ?? 0, above[at]!, above[at - 3] ?? 0)),
    ]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.concat(rows))),
    part('IEND', Buffer.alloc(0)),
  ]);
}

/** PNG, chapter 9.2. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  if (filter !== 4) return 0;
  const near = left + up - corner;
  const byDistance = [left, up, corner].map((value) => ({ value, distance: Math.abs(near - value) }));
  return byDistance.reduce((best, next) => (next.distance < best.distance ? next : best)).value;
}

function part(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
