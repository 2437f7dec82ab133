/** File systems take 255 bytes; some are left for a number and a suffix. */
export const MAX_FILE_NAME_BYTES = 200;

/** What no file system takes, or what leads out of a folder; C1 controls are kept, as some sites send them for letters. */
const UNUSABLE = /[/\\]|(?![\u0080-\u009f])\p{Cc}/gu;

/**
 * Returns a name that a file system takes for one that somebody else has chosen: without separators and control characters,
 * and cut to 200 bytes of UTF-8 before its extension. File systems count bytes; a character has up to four.
 */
export function toFileName(given: string): string {
  const name = given.replaceAll(UNUSABLE, '_');
  if (/^\.{0,2}$/.test(name)) return 'file';
  if (Buffer.byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const [extension = ''] = /\.[^.]{1,20}$/.exec(name) ?? [];
  const stem = name.slice(0, name.length - extension.length);
  return cutToBytes(stem, MAX_FILE_NAME_BYTES - Buffer.byteLength(extension)) + extension;
}

/** The longest beginning of a text that has at most so many bytes; no character is cut in two. */
function cutToBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}
