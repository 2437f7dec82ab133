import fc from 'fast-check';
import { PNG } from 'pngjs';
import { THUMBNAIL_WIDTH, toThumbnail } from '../../../service/sessions/thumbnail';
import { aPng } from '../../support/png';

function pixelsOf(png: Buffer): { width: number; height: number; at: (x: number, y: number) => number[] } {
  const { width, height, data } = PNG.sync.read(png);
  return { width, height, at: (x, y) => [...data.subarray((y * width + x) * 4).subarray(0, 3)] };
}

test('a picture becomes as wide as a thumbnail and keeps its shape', () => {
  const { width, height } = pixelsOf(toThumbnail(aPng(1280, 720, () => [1, 2, 3])));
  expect([width, height]).toEqual([THUMBNAIL_WIDTH, 180]);
});

test('a picture that is narrow already stays as it is', () => {
  const small = aPng(300, 200, () => [9, 9, 9]);
  expect(toThumbnail(small)).toBe(small);
});

test('whatever filter its rows have, each pixel is the mean of those it replaces', () => {
  const byte = fc.nat(255);
  fc.assert(
    fc.property(byte, byte, fc.nat(4), (a, b, filter) => {
      const pixel = (x: number, y: number): [number, number, number] => [
        (x * a + y) % 256,
        (y * b) % 256,
        (x + y * a) % 256,
      ];
      const { width, height, at } = pixelsOf(toThumbnail(aPng(16, 8, pixel, filter), 8));
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

test('bytes that are not a PNG are refused', () => {
  expect(() => toThumbnail(Buffer.from('GIF89a'))).toThrow('Expected a PNG, got something that does not decode');
});
