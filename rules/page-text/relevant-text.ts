/** Long lines, such as markup without line breaks, are searched in pieces of about this size. */
const PIECE = 400;
const GAP = '…';

/**
 * Cuts a text to `limit` characters by relevance: its pieces that contain the most of the words are kept, in their order,
 * then those beside them; without any word the beginning. Words are in lower case (goal-words.ts).
 */
export function relevantText(text: string, words: readonly string[], limit: number): string {
  if (text.length <= limit) return text;
  const pieces = text.split('\n').flatMap(toPieces);
  const scores = pieces.map((piece) => {
    const own = piece.toLowerCase();
    return words.filter((word) => own.includes(word)).length;
  });
  // A neighbour says what a piece belongs to.
  const near = scores.map((score, index) => score * 4 + Math.max(scores[index - 1] ?? 0, scores[index + 1] ?? 0));
  const byRelevance = near
    .map((score, index) => ({ score, index }))
    .sort((one, other) => other.score - one.score || one.index - other.index);
  const kept = new Set<number>();
  let room = limit;
  for (const { index } of byRelevance) {
    const cost = pieces[index]!.length + GAP.length + 2;
    if (cost > room) break;
    room -= cost;
    kept.add(index);
  }
  if (kept.size === 0) return text.slice(0, limit);
  return pieces
    .flatMap((piece, index) => {
      if (kept.has(index)) return [piece];
      return index === 0 || kept.has(index - 1) ? [GAP] : [];
    })
    .join('\n');
}

/** Cuts a line before a tag, else before a space, where it can. */
function toPieces(line: string): string[] {
  const piece = `[^]{1,${PIECE}}`;
  return line.match(new RegExp(`${piece}(?=<|$)|${piece}(?=\\s)|${piece}`, 'g')) ?? [''];
}
