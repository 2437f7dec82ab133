import { unquote, protectQuotes } from '../language/protected-text';
import { stemsIn, wordsOf } from '../language/words';
import { asOnPage } from './page-words';
import { ancestors, type Item, type Page } from './page-index';
import { commandsOn, severalFor, type TargetSearch } from './resolution';
import { choice } from './resolve-choice';

const SHOWS =
  /^(?:(?:make|have|let)\s+the\s+(?:list|table|page|view)\s+)?(?:show(?:\s+me)?\s+only|show\s+(?:me\s+)?just|only(?:\s+show)?|(?:list|display)\s+only)\s+(?:the\s+)?(\S.*)$/i;
/** What is shown is all of a kind: “the appointments of Dr. Hansen”, “invoices that are on hold”. */
const KIND =
  /^\p{Ll}+s\s+(?:(?:that|what|which|who)\s+(?:are|is|have|has|come|comes)\s+)?(?:(?:of|from|for|with|by|in|at)\s+)?(?:the\s+)?(?=\S)|\s+\p{Ll}+s$/u;
/** The first option of a list that says what is shown. */
const ALL = /^(?:all|any|every|everything)\b/i;

/** “Show only the appointments of Dr. Hansen”: the option of that name in a list that says what is shown. */
export function filterIn(page: Page, text: string): TargetSearch | undefined {
  const { text: plain, spans } = protectQuotes(text.split(' ; ')[0]!);
  const [, said = ''] = SHOWS.exec(plain) ?? [];
  if (said === '') return undefined;
  const forms = [said, said.replace(KIND, '')].map((form) => unquote(form, spans));
  for (const form of new Set(forms)) {
    const words = asOnPage(page, wordsOf(form, false), false);
    const meant = page.items.filter((option) => isMeant(option, words));
    if (meant.length > 1) return severalFor(text, meant);
    const [option] = meant;
    if (option !== undefined) return commandsOn(listOf(option)!, choice(option));
  }
  return undefined;
}

function isMeant(option: Item, words: ReturnType<typeof asOnPage>): boolean {
  const list = option.role === 'option' && !option.isHidden ? listOf(option) : undefined;
  if (list === undefined || !ALL.test(list.children.find(({ role }) => role === 'option')?.label ?? '')) return false;
  const names = stemsIn(option.label);
  const called = [list.label, ...list.hints].flatMap((name) => [...stemsIn(name)]);
  const isSaid = (word: (typeof words)[number], among: readonly string[]): boolean =>
    word.isQuoted === true
      ? stemsIn(word.said).every((stem) => among.includes(stem))
      : [word.stem, ...(word.also ?? [])].some((stem) => among.includes(stem));
  return (
    words.length > 0 &&
    names.length > 0 &&
    words.every((word) => isSaid(word, names) || isSaid(word, called)) &&
    names.every((name) => words.some((word) => isSaid(word, [name])))
  );
}

const listOf = (option: Item): Item | undefined =>
  [...ancestors(option)].find(({ role }) => role === 'combobox' || role === 'listbox');
