import { namesFor, stemsIn, wordsOf } from '../language/words';
import * as acts from './element-commands';
import { surroundingsOf } from './entry';
import { itemsInside, type Item, type Page } from './page-index';
import { asOnPage } from './page-words';
import { TO_CLICK, TO_SET } from './purpose';
import { IN_PART, isAmong } from './read-way';
import type { TargetSearch } from './resolution';
import { ENTRY_KINDS, FREE_KINDS } from './word-regions';

/** “change the price of the air filter to 13.10”, “set Ann's phone to 5”: which entry is meant, with the value at the end. */
const OF_ENTRY =
  /^(?:set|change|update|correct|adjust|amend|modify|edit|raise|lower|increase|decrease|reduce)\s+(?:the\s+)?(?:(?<field>(?:\S+\s+){1,3})(?:of|for|from)\s+(?<entry>.+)|(?<owner>.+)['’]s\s+(?<own>\S+(?:\s+\S+){0,2}))\s(?:to|as|into|=|→)\s+\S.*$/i;
const EDITS = new Set([...namesFor('edit'), ...stemsIn('details')]);

/**
 * The button that opens the editor of the entry that the words name, where no field of this page is called as they say:
 * opening it changes nothing but what is seen. Every word of the entry is its own; the field is seen in the editor.
 */
export function editorFor(page: Page, text: string): TargetSearch | undefined {
  const { entry: named, owner, field = '', own = field } = OF_ENTRY.exec(text)?.groups ?? {};
  const words = asOnPage(page, wordsOf(named ?? owner ?? '', false), true).filter(
    ({ stem }) => !FREE_KINDS.test(stem) && !ENTRY_KINDS.test(stem),
  );
  if (words.length === 0) return undefined;
  const editors = page.items.filter(isEditor).filter((item) => {
    const entry = [...surroundingsOf(page, item).entry];
    return words.every((word) => isAmong(word, entry));
  });
  const [editor, ...others] = editors;
  if (editor === undefined || others.length > 0 || hasField(page, editor, own)) return undefined;
  const opens = [IN_PART, ...words.map(({ stem }) => stem)];
  return { kind: 'commands', commands: [acts.click(editor)], target: editor, opens };
}

/** Whether the entry shows a field of that name already, so that the others of the words are what is not there. */
function hasField(page: Page, editor: Item, said: string): boolean {
  const stems = stemsIn(said);
  return surroundingsOf(page, editor).parts.some((part) =>
    itemsInside(page, part).some(
      (item) => TO_SET.rank(item) !== undefined && stemsIn(item.label).some((stem) => stems.includes(stem)),
    ),
  );
}

const isEditor = (item: Item): boolean =>
  TO_CLICK.rank(item) !== undefined &&
  /^(?:button|link)$/.test(item.role) &&
  !item.isHidden &&
  item.node?.disabled !== true &&
  [item.label, ...item.hints].some(
    (name) => stemsIn(name).length > 0 && stemsIn(name).every((stem) => EDITS.has(stem)),
  );
