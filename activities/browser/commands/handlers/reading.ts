import type { Frame, Page } from 'playwright';
import { MAX_OUTPUT } from '../../../../contracts/commands/definitions/members';
import type { readingCommands } from '../../../../contracts/commands/definitions/reading';
import { SECRET_MARK } from '../../../../contracts/sessions/resources';
import { savedValue } from '../../../../rules/page-text/saved-value';
import { withinMs } from '../../../../runtime/time-limit';
import { EngineError } from '../../../activity/failures';
import { collectPart } from './collect-part';
import { extractBySchema } from '../../../results/extract-by-schema';
import { fieldsSchema } from '../../../results/fields-schema';
import { withReaders } from '../../../results/node-readers';
import { readPageData } from '../../../results/page-data';
import type { CommandHandlers } from './command-handler';

export const readingHandlers: CommandHandlers<typeof readingCommands> = {
  /** Keeps the trimmed text of the element, or the value of an input, select or textarea; never that of a password field. */
  async SAVE_VARIABLE({ element, parameters, timeoutMs, signal }) {
    const { variableName } = parameters;
    const text = await element.evaluate(textOrValue, undefined, { timeout: timeoutMs, signal });
    if (text === null) return { variable: { name: variableName, value: SECRET_MARK } };
    const value = savedValue(text, parameters);
    if (value === undefined)
      throw new EngineError(
        'EX002',
        `“${text.slice(0, 200)}” has no single number, so nothing was saved as ${variableName}.`,
        {
          suggestedAction:
            'Name the part of the page that has the number alone, or save the text without “as a number”.',
        },
      );
    return { variable: { name: variableName, value } };
  },

  /** The text of the page as a reader has it, its article first, then the text of other frames. */
  async READ_TEXT({ page, parameters: { maxCharacters = MAX_OUTPUT } }) {
    const [title, texts] = await Promise.all([
      page.title().catch(() => ''),
      inFrames(page, 3000, (frame) => frame.evaluate(articleFirst, maxCharacters)),
    ]);
    const text = texts.filter((each) => each !== '').join('\n\n') || 'The page has no text.';
    return { output: `${title}\n${page.url()}\n\n${text}`.slice(0, maxCharacters) };
  },

  async EXTRACT({ batch, commandId, page, parameters: { fields, rows: hasRows = false, chosen } }) {
    const frames = await inFrames(page, 5000, (frame) => frame.evaluate(withReaders(readPageData), undefined));
    if (fields === undefined) return { output: await collectPart(batch, commandId, { page, frames, chosen }) };
    const { value, missing, lists } = extractBySchema(fieldsSchema(fields, hasRows), frames, { hasNulls: true });
    const note = missing.length === 0 ? '' : `\nNot found on the page: ${missing.join(', ')}.`;
    const root = lists.find(({ path }) => path === '');
    const count = root === undefined ? '' : `${root.returned} rows.\n`;
    const text = JSON.stringify(value, null, 1);
    const limit = MAX_OUTPUT - 300;
    return { output: `${count}${text.length > limit ? `${text.slice(0, limit)}… (cut)` : text}${note}` };
  },
};

/** Runs in the page. Null for a password. A cell that only holds a field has the field's value. */
function textOrValue(node: Element): string | null {
  const FIELDS = 'input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea';
  const valueOf = (field: Element): string | null =>
    field instanceof HTMLInputElement && field.type === 'password' ? null : (field as HTMLInputElement).value;
  if (node.matches('input, select, textarea')) return valueOf(node);
  const text = ((node as HTMLElement).innerText ?? node.textContent ?? '').trim();
  const fields = node.querySelectorAll(FIELDS);
  return text === '' && fields.length === 1 ? valueOf(fields[0]!) : text;
}

/** Reads every frame; one that is gone, or gives no answer in time, is left out. */
async function inFrames<T>(page: Page, limitMs: number, read: (frame: Frame) => Promise<T>): Promise<T[]> {
  const results = await Promise.allSettled(page.frames().map((frame) => withinMs(limitMs, read(frame))));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Runs in the page. */
function articleFirst(limit: number): string {
  const textOf = (element: Element | null): string =>
    element instanceof HTMLElement ? element.innerText.replace(/\n{3,}/g, '\n\n').trim() : '';
  const candidates = [...document.querySelectorAll('article, main, [role=main], [role=article]')];
  const best = candidates.map(textOf).sort((one, other) => other.length - one.length)[0] ?? '';
  const whole = textOf(document.body) || (document.documentElement?.textContent ?? '').trim();
  // Short ones are teasers, not what the page is about.
  const isArticle = best.length >= 200 && best.length < whole.length;
  return (isArticle ? `${best}\n\n— The whole page —\n${whole}` : whole).slice(0, limit);
}
