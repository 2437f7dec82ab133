/** Words that stand in every instruction and say nothing of what is looked for. */
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
 * What the goal names, in small letters: words in quotation marks as a whole, then single words and numbers. A part of a
 * page that has one of them is kept where the rest is left out.
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
