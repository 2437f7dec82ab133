import { isQuoted, protectQuotes, unquote } from '../language/protected-text';
import * as acts from './element-commands';
import { buttonFor, isNew, questionOn } from './read-answer';
import { ancestors, isInside, itemsInside, type Item, type Page } from './page-index';
import { TO_TYPE } from './purpose';
import type { TargetSearch } from './resolution';

const VALUE =
  /^(?:(?:(to|into)|(?:call|name|rename|label)\s+(it|this|that)(?:\s+(?:to|as))?|with|saying|as)\b\s*)?(\S.*)$/i;

/** “replace the text with “a””: in the field that has come. */
const CONTENT = /^set\s+(?:the\s+)?(?:text|value|contents?)\s+to\s+(?=["“])/i;

/**
 * "to Blue": the value of the only field that has come with the last deed, which said for what; then what confirms it.
 * A text in quotes alone, and the name that “it” is to have, is typed there as well, and nothing is confirmed.
 */
export function valueOnly(page: Page, text: string): TargetSearch | undefined {
  const { text: plain, spans } = protectQuotes(text.replace(CONTENT, ''));
  const [, towards, named, said = ''] = VALUE.exec(plain.trim()) ?? [];
  if (
    said === '' ||
    (!isQuoted(said) && /[\uE000-\uEFFF]/.test(said)) ||
    ((towards ?? named) === undefined && !isQuoted(said))
  )
    return undefined;
  const fields = page.items.filter(
    (item) => TO_TYPE.rank(item) === 0 && item.role !== 'combobox' && !item.isHidden && isNew(item),
  );
  const active = fields.filter(({ node }) => node?.active === true);
  const [field] = active.length === 1 ? active : fields;
  if (field === undefined || (active.length !== 1 && fields.length > 1)) return undefined;
  const typed = acts.type(field, unquote(said, spans));
  if (towards === undefined) return { kind: 'commands', commands: [typed], target: field };
  const end = confirming(page, field);
  return {
    kind: 'commands',
    commands: [typed, end === undefined ? acts.press(field, 'Enter') : acts.click(end)],
    target: field,
  };
}

/** What says yes in the dialog of the field, or the only button beside it that has come with it and saves. */
function confirming(page: Page, field: Item): Item | undefined {
  const asking = questionOn(page);
  if (asking !== undefined && isInside(field, asking)) return buttonFor(page, asking, true);
  const [part] = [...ancestors(field)].slice(0, 2).filter(({ children }) => children.length > 1);
  const saving = (part === undefined ? [] : itemsInside(page, part)).filter(
    (item) => item.role === 'button' && isNew(item) && item.node?.disabled !== true && SAVES.test(item.label.trim()),
  );
  return saving.length === 1 ? saving[0] : undefined;
}

/** What a button that saves what was typed begins with. */
export const SAVES = /^(?:(?:save|apply|ok|okay|done|update|change|confirm|rename|set)\b|[✓✔]\s*$)/i;
