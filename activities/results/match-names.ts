import type { JsonSchema } from '../../contracts/results/result-request';
import type { PagePart } from './page-data';
import type { Leaf } from '../../runtime/schemas/schema-leaves';

const MIN_SIMILARITY = 0.5;
const ADDRESS_NAMES = ['href', 'src'];

/** The part whose name is most similar to that of a member of the schema; undefined when none is similar enough. */
export function bestPart({ path, member }: Leaf, parts: readonly PagePart[]): PagePart | undefined {
  const wanted = wordsOf(path.at(-1) ?? '');
  const whole = wordsOf(path.join(' '));
  const described = wordsOf(typeof member['description'] === 'string' ? member['description'] : '');
  let best: PagePart | undefined;
  let most = 0;
  for (const part of parts) {
    const isOwnAddress = part.attribute === 'href' || part.attribute === 'src';
    if (isAddress(member) && !isOwnAddress) continue;
    // The name of a link is no name of its address.
    if (isOwnAddress && !isAddress(member) && !part.names.some((name) => ADDRESS_NAMES.includes(name))) continue;
    const score = Math.max(
      0,
      ...part.names.map((name) => {
        const found = wordsOf(name);
        return Math.max(similarity(wanted, described, found), similarity(whole, [], found));
      }),
    );
    if (score > most) [best, most] = [part, score];
  }
  return most < MIN_SIMILARITY ? undefined : best;
}

/** Whether a member takes an address: only the page's own are given. */
export function isAddress({ format }: JsonSchema): boolean {
  return format === 'uri' || format === 'uri-reference' || format === 'url' || format === 'iri';
}

function similarity(wanted: readonly string[], described: readonly string[], found: readonly string[]): number {
  if (found.length === 0) return 0;
  if (wanted.join(' ') === found.join(' ')) return 2;
  const shared = wanted.filter((word) => found.includes(word)).length;
  const byName = shared / Math.max(wanted.length, Math.min(found.length, 3));
  const byDescription = found.every((word) => described.includes(word)) ? 0.6 : 0;
  return Math.max(byName, byDescription);
}

/**
 * Splits a name into comparable words: `unitPrice`, `unit_price` and “Unit price” are equal, a plural equals its
 * singular.
 */
function wordsOf(text: string): string[] {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}
