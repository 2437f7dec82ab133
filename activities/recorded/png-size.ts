const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** The first chunk of a PNG has its size. */
const WIDTH_AT = 16;
const HEIGHT_AT = 20;
/** Whoever decodes one needs four bytes a pixel. */
const MOST_PIXELS = 50_000_000;

/** The size of a PNG in pixels; undefined for what is none, or is too large to be shown. */
export function pngSize(content: Buffer): { width: number; height: number } | undefined {
  if (content.length < HEIGHT_AT + 4 || !content.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const [width, height] = [content.readUInt32BE(WIDTH_AT), content.readUInt32BE(HEIGHT_AT)];
  return width * height > MOST_PIXELS ? undefined : { width, height };
}
