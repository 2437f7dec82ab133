import { PNG } from 'pngjs';

/** Wide enough to distinguish pages in a list. */
export const THUMBNAIL_WIDTH = 320;
const RGB = 2;
const RGBA = 6;
/** pngjs decodes every picture to four bytes a pixel. */
const CHANNELS = 4;

/** Scales a PNG down to the width; each pixel is the mean of the pixels it replaces. Returns a narrower PNG unchanged. */
export function toThumbnail(png: Buffer, width = THUMBNAIL_WIDTH): Buffer {
  const image = parsePng(png);
  if (image.width <= width) return png;
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  const sums = new Float64Array(width * height * CHANNELS);
  const counts = new Uint32Array(width * height);
  for (let y = 0; y < image.height; y += 1) {
    const line = Math.min(height - 1, Math.floor((y * height) / image.height)) * width;
    for (let x = 0; x < image.width; x += 1) {
      const pixel = line + Math.floor((x * width) / image.width);
      counts[pixel]! += 1;
      for (let channel = 0; channel < CHANNELS; channel += 1)
        sums[pixel * CHANNELS + channel]! += image.data[(y * image.width + x) * CHANNELS + channel]!;
    }
  }
  const thumbnail = new PNG({ width, height });
  sums.forEach((sum, at) => (thumbnail.data[at] = Math.round(sum / counts[Math.floor(at / CHANNELS)]!)));
  return PNG.sync.write(thumbnail, { colorType: image.alpha ? RGBA : RGB });
}

function parsePng(png: Buffer) {
  try {
    return PNG.sync.read(png);
  } catch (error) {
    throw new Error(`Expected a PNG, got something that does not decode: ${(error as Error).message}.`);
  }
}
