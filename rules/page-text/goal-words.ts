/** Words of instructions that do not identify a part of a page. */
const EMPTY = new Set(
  (
    'the a an and or of to in on at by for from with into onto as is are be it its this that then than there here not no ' +
    'all any every each first last next open click press type enter fill choose select check uncheck save expect wait go ' +
    'back scroll page button link field row table list until shows show see find look make sure step text value http https www'
  ).split(' '),
);
const QUOTED = /[“"„«]([^”"»]{2,80})[”"»]|‘([^’]{2,80})’/g;
const MAX_WORDS = 60;

/**
 * Extracts what instructions name, in lower case: quoted phrases, then single words and numbers. The parts of a page that
 * contain them are kept when others are pruned.
 */
export function goalWords(instructions: readonly string[]): string[] {
  const found = new Set<string>();
  for (const instruction of instructions) {
    const text = instruction.toLowerCase();
    for (const [, double, single] of text.matchAll(QUOTED)) found.add((double ?? single!).trim());
    for (const [word] of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]|\p{N}/gu))
      if (!EMPTY.has(word) && (word.length > 2 || /\p{N}/u.test(word))) found.add(word);
  }
  return [...found].slice(0, MAX_WORDS);
}
