import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { THUMBNAIL_WIDTH, toThumbnail } from '../../../client/sessions/thumbnail';
import { aPng } from '../../support/png';

/** The pixels of a thumbnail, whose rows are not filtered. */
function pixelsOf(png: Buffer): { width: number; height: number; at: (x: number, y: number) => number[] } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const start = png.indexOf('IDAT') + 4;
  const data = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  return { width, height, at: (x, y) => [...data.subarray(y * (width * 3 + 1) + 1 + x * 3).subarray(0, 3)] };
}

test('a picture becomes as wide as a thumbnail and keeps its shape', () => {
  const { width, height } = pixelsOf(toThumbnail(aPng(1280, 720, () => [1, 2, 3])));
  expect([width, height]).toEqual([THUMBNAIL_WIDTH, 180]);
});

test('a picture that is narrow already stays as it is', () => {
  const small = aPng(300, 200, () => [9, 9, 9]);
  expect(toThumbnail(small)).toBe(small);
});

test('whatever filters its rows have, each pixel is the mean of those it stands for', () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(byte, byte, fc.array(fc.nat(4), { minLength: 8, maxLength: 8 }), (a, b, filters) => {
      const pixel = (x: number, y: number): [number, number, number] => [
        (x * a + y) % 256,
        (y * b) % 256,
        (x + y * a) % 256,
      ];
      const { width, height, at } = pixelsOf(
        toThumbnail(
          aPng(16, 8, pixel, (y) => filters[y]!),
          8,
        ),
      );
      expect([width, height]).toEqual([8, 4]);
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1) {
          const four = [
            [0, 0],
            [1, 0],
            [0, 1],
            [1, 1],
          ].map(([dx, dy]) => pixel(2 * x + dx!, 2 * y + dy!));
          const mean = [0, 1, 2].map((channel) => Math.round(four.reduce((sum, one) => sum + one[channel]!, 0) / 4));
          expect(at(x, y)).toEqual(mean);
        }
    }),
    { numRuns: 60 },
  );
});

test('what is no PNG of a browser is refused with a sentence', () => {
  expect(() => toThumbnail(Buffer.from('GIF89a'))).toThrow('Expected a PNG with 8 bits of RGB or RGBA');
});
