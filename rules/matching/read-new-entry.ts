import { isQuoted, protectQuotes, restore, unquote } from '../language/protected-text';
import { wordsOf } from '../language/words';
import { bestOf, fitOf } from './by-words';
import * as acts from './element-commands';
import type { Page } from './page-index';
import { asOnPage } from './page-words';
import { TO_SET, TO_TYPE } from './purpose';
import { commandsOn, type TargetSearch } from './resolution';

const ADDS = /^(?:add|create|put|write|new)\s+(.+?)(?:\s+(?:to|in|into|on|under)\s+(.+))?$/i;
/** What such a field is called: “Add a task and press Enter”. */
const TAKES_NEW = /^(?:add|new|create|what)\b.*\benter\b/i;

/** “add “Renew passport” to Home”: a field that says that Enter adds what is typed, in the place that the words name. */
export function newEntryIn(page: Page, text: string, used: ReadonlySet<string>): TargetSearch | undefined {
  const { text: plain, spans } = protectQuotes(text);
  const [, said = '', place] = ADDS.exec(plain.trim()) ?? [];
  if (!isQuoted(said)) return undefined;
  const words = place === undefined ? [] : wordsOf(restore(place, spans), false).filter(({ stem }) => !used.has(stem));
  const fields = page.items.filter(
    (item) =>
      TO_TYPE.rank(item) === 0 &&
      !item.isHidden &&
      item.node?.disabled !== true &&
      [item.label, ...item.hints].some((name) => TAKES_NEW.test(name)),
  );
  const fits = fields.flatMap((item) => fitOf(page, item, asOnPage(page, words, false), TO_SET, true) ?? []);
  const [fit, ...others] = bestOf(fits.filter(({ left }) => left.length === 0));
  if (fit === undefined || others.length > 0) return undefined;
  const field = fit.item;
  return commandsOn(field, acts.type(field, unquote(said, spans)), acts.press(field, 'Enter'));
}
