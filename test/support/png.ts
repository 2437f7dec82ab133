import { PNG } from 'pngjs';

/** Encodes an RGB picture as PNG, every row with this filter (PNG, chapter 9). */
export function aPng(
  width: number,
  height: number,
  pixel: (x: number, y: number) => [number, number, number],
  filterType = 0,
): Buffer {
  const image = new PNG({ width, height });
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) image.data.set([...pixel(x, y), 255], (y * width + x) * 4);
  return PNG.sync.write(image, { colorType: 2, filterType });
}
