import { stemsIn, wordsOf } from '../language/words';
import { containsText } from '../page-text/contains-text';
import { SEPARATOR } from '../page-text/saved-value';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import { nearestNamed, type Page } from './page-index';
import { asOnPage } from './page-words';
import { isAmong } from './read-way';
import { commandsOn, type TargetSearch } from './resolution';
import { FREE_KINDS } from './word-regions';

const CLAIM =
  /^(?:(?:please|then|and)\s+)*(?:(?:verify|check|assert|ensure|confirm|expect|see|make\s+sure)\s+)?(?:that\s+)?(?:the\s+)?(\S.*?)\s+(?:is|are|shows?|reads?)\s+(?:now\s+)?["“]?(\S.*?)["”]?[.]?$/i;
/** Between the parts of a text: “Card: Adult · Open fees: 0.00”. */
const BETWEEN = new RegExp(`${SEPARATOR.source}|\\n|;\\s`);
const NEGATED = /\b(?:not|no|never)\b|n['’]t\b/i;

/**
 * “The open fees of Ann are 0.00”: the one part of a text that has both the label and the value, under a heading or in an
 * entry that has the other words. Undefined where none has, or several.
 */
export function claimOfLabel(page: Page, text: string): TargetSearch | undefined {
  const [, named = '', value = ''] = CLAIM.exec(text) ?? [];
  if (value === '' || NEGATED.test(text)) return undefined;
  const words = asOnPage(page, wordsOf(named, false), false).filter(({ stem }) => !FREE_KINDS.test(stem));
  if (words.length === 0) return undefined;
  const found = page.items.flatMap((item) => {
    if (item.isHidden || item.children.some(({ node }) => node !== undefined)) return [];
    const { entry, section } = surroundingsOf(page, item);
    return item.text.split(BETWEEN).flatMap((part) => {
      const stems = stemsIn(part);
      const label = words.filter((word) => isAmong(word, stems));
      const isElsewhere = words.every((word) => label.includes(word) || isAmong(word, [...entry, ...section]));
      return label.length > 0 && isElsewhere && containsText(part, value) ? [{ item, part }] : [];
    });
  });
  const [first, ...others] = found.filter(({ item }) => !found.some((other) => other.item.parent === item));
  const target = first === undefined || others.length > 0 ? undefined : nearestNamed(first.item);
  return first && target && commandsOn(target, acts.expect(target, { text: first.part.trim() }));
}
