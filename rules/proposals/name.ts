import { literalsIn, stemsIn } from '../language/words';
import { surroundingsOf } from '../matching/entry';
import { normal } from '../matching/name-match';
import { isInside, type Item, type Page } from '../matching/page-index';
import { isNamedBy, type Said } from './said';

/** The name of a control, with the words that its namesakes do not have. */
export function nameOf(page: Page, item: Item, words: readonly Said[]): string | undefined {
  const name = [item.label, ...item.hints].find((each) => each.trim() !== '');
  if (name === undefined || name.length > 80 || name.includes('"')) return undefined;
  const alike = page.items.filter(
    (other) =>
      other.role === item.role && !other.isHidden && other.node?.ref && normal(other.label) === normal(item.label),
  );
  if (alike.length < 2) return `"${name}"`;
  const entry = entryName(page, item, alike, words) ?? sectionName(page, item, alike);
  return entry === undefined ? `the ${alike.indexOf(item) + 1}. "${name}"` : `"${name}" in "${entry}"`;
}

/** A text of the entry that those of its namesakes do not have; one with words of the step before others. */
function entryName(page: Page, item: Item, alike: readonly Item[], words: readonly Said[]): string | undefined {
  const { parts } = surroundingsOf(page, item);
  const others = alike
    .filter((other) => other !== item)
    .map((other) => literalsIn(surroundingsOf(page, other).entryText));
  const texts = parts.flatMap((part) =>
    page.items
      .slice(part.index, part.last + 1)
      .filter(
        ({ children, text, role }) =>
          children.length === 0 && text.trim() !== '' && text.length <= 60 && !/^(?:button|option|img)$/.test(role),
      )
      .filter((leaf) => !isInside(leaf, item))
      .map(({ text }) => text.trim()),
  );
  const own = [...new Set(texts)].filter(
    (text) =>
      !text.includes('"') && /[\p{L}\p{N}]/u.test(text) && !others.some((other) => hasInRow(other, literalsIn(text))),
  );
  const saidIn = (text: string): number =>
    stemsIn(text).filter((stem) => words.some((said) => isNamedBy(said, stem))).length;
  return own.toSorted((a, b) => saidIn(b) - saidIn(a))[0];
}

/** The heading, or the name of the part, that stands above this one of its namesakes alone. */
function sectionName(page: Page, item: Item, alike: readonly Item[]): string | undefined {
  const above = (each: Item): string[] => literalsIn(surroundingsOf(page, each).sectionText) as string[];
  const others = alike.filter((other) => other !== item).map(above);
  const own = above(item);
  return page.items
    .filter(({ role, isHidden }) => !isHidden && /^(?:heading|group|region|form|dialog)$/.test(role))
    .map((part) => (part.role === 'heading' ? part.text : (part.node?.name ?? '')).trim())
    .find(
      (name) =>
        name !== '' &&
        !name.includes('"') &&
        hasInRow(own, literalsIn(name)) &&
        !others.some((other) => hasInRow(other, literalsIn(name))),
    );
}

const hasInRow = (there: readonly string[], sought: readonly string[]): boolean =>
  there.some((_, at) => sought.every((word, offset) => there[at + offset] === word));
