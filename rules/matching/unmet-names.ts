import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import { roleWord } from '../language/role-words';
import { stemsIn, wordsOf, type Word } from '../language/words';
import { surroundingsOf } from './entry';
import { selectorOf } from './item-text';
import { SOURCE_NAME } from './name-match';
import type { Page } from './page-index';
import { asOnPage } from './page-words';
import { ENTRY_KINDS, FREE_KINDS } from './word-regions';

/**
 * Names, codes and quoted texts of a clause that neither what its commands act on nor the values that they give have: a last
 * look at every deed, whichever way its words were read. `used` are the words that led to where it is.
 */
export function unmetNames(
  page: Page,
  text: string,
  commands: readonly AIGeneratedCommand[],
  used: ReadonlySet<string>,
): Word[] {
  const selectors = new Set(commands.flatMap(({ parameters: { selector } }) => selector ?? []));
  const targets = page.items.filter((item) => item.node?.ref !== undefined && selectors.has(selectorOf(item)));
  if (targets.length === 0) return [];
  const given = commands.flatMap(({ parameters: { text: typed, option, options = [], path = [], key } }) => [
    typed,
    option,
    key,
    ...options,
    ...path,
  ]);
  const met = new Set(given.flatMap((value) => stemsIn(value ?? '')));
  for (const target of targets) {
    const { own, entry, section } = surroundingsOf(page, target);
    const attributes = Object.values(target.node?.attributes ?? {}).flatMap((value) => stemsIn(String(value)));
    for (const stem of [...own, ...entry, ...section, ...attributes]) met.add(stem);
  }
  const isGiven = given.some((value) => value !== undefined);
  const isMet = (stem: string): boolean => met.has(stem) || used.has(stem);
  return asOnPage(page, wordsOf(text), false).filter((word, at) => {
    const { said, stem, also = [], parts = [], isQuoted, ordinal, verb } = word;
    if (isQuoted)
      return (
        roleWord(said) === undefined && !SOURCE_NAME.test(said) && !said.includes('${') && !stemsIn(said).every(isMet)
      );
    const isName = NAME.test(said) || (!isGiven && CODE.test(said));
    if (at === 0 || !isName || verb !== undefined || ordinal !== undefined || WHEN.test(said)) return false;
    // “T-103” is not met by the T of T-101.
    const isKnown = [stem, ...also].some(isMet) || (parts.length > 0 && parts.every(isMet));
    return roleWord(said) === undefined && !KINDS.test(stem) && !isKnown;
  });
}

/** “Olav”, “A-02”, “4711”: which one is meant. */
const NAME = /^\p{Lu}\p{Ll}+$/u;
const CODE = /\d.*\d|\p{L}.*\d|\d.*\p{L}/u;
/** “No. 5”, “the Card of Ann” */
const KINDS = new RegExp(`${FREE_KINDS.source}|${ENTRY_KINDS.source}`);
/** A date is given in other words. */
const WHEN =
  /^(?:Jan|January|Feb|February|Mar|March|Apr|April|May|Jun|June|Jul|July|Aug|August|Sep|Sept|September|Oct|October|Nov|November|Dec|December|Mon|Monday|Tue|Tuesday|Wed|Wednesday|Thu|Thursday|Fri|Friday|Sat|Saturday|Sun|Sunday)$/;
