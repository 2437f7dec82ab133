import { protectQuotes, unquote } from '../language/protected-text';
import { stemsIn, wordsOf } from '../language/words';
import { isField, type Item, type Page } from './page-index';
import { TO_SET } from './purpose';
import { namesAnother } from './read-settings';
import type { TargetSearch } from './resolution';
import { settingOf } from './resolve-choice';

const LABELLED = /^([^:,;\uE000-\uEFFF]{2,60}):\s+(\S.*)$/s;
/** A second label: “Name: Ann, City: Graz”. */
const ANOTHER = /[,;]\s*[^,;:]{2,40}:\s/;

/** “Comment for the team: back on Monday”: all that stands behind the name of a field is its value. */
export function labelledIn(page: Page, text: string): TargetSearch | undefined {
  const { text: plain, spans } = protectQuotes(text.split(' ; ')[0]!);
  const [, label, value = ''] = LABELLED.exec(plain.trim()) ?? [];
  if (label === undefined || ANOTHER.test(value) || /[\uE000-\uEFFF]./.test(value)) return undefined;
  // “class filter: van” is the list “Class”.
  const all = wordsOf(label, false).map(({ stem }) => stem);
  const words = all.length > 1 ? all.filter((stem) => stem !== 'filter') : all;
  const isNamed = (name: string): boolean => {
    const stems = [...new Set(wordsOf(name, false).map(({ stem }) => stem))];
    const isWhole = stems.length > 0 && stems.every((stem) => words.includes(stem));
    // “Describe” is the field “Describe it in your words”.
    return words.every((word) => stems.includes(word)) && (isWhole || (words.length === 1 && stems[0] === words[0]));
  };
  const [field, ...others] = page.items.filter(
    (item: Item) =>
      isField(item) && TO_SET.rank(item) !== undefined && !item.isHidden && [item.label, ...item.hints].some(isNamed),
  );
  if (words.length === 0 || field === undefined || others.length > 0) return undefined;
  const said = unquote(value, spans);
  if (stemsIn(said).length === 0 || namesAnother(page, said, field)) return undefined;
  const setting = settingOf(page, field, said);
  return setting.kind === 'commands' ? setting : undefined;
}
