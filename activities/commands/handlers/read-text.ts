import { MAX_OUTPUT } from '../../../contracts/commands/definitions/members';
import { withinMs } from '../../../runtime/time-limit';
import type { CommandHandler } from './command-handler';

const FRAME_LIMIT_MS = 3000;

/** The text of the page as a reader has it, its article first, then what other frames say. */
export const readText: CommandHandler = async ({ page, parameters }) => {
  const limit = parameters.maxCharacters ?? MAX_OUTPUT;
  const asked = page
    .frames()
    .map((frame) => withinMs(FRAME_LIMIT_MS, frame.evaluate(articleFirst, limit)).catch(() => ''));
  const [title, ...texts] = await Promise.all([page.title().catch(() => ''), ...asked]);
  const text = texts.filter((each) => each !== '').join('\n\n');
  return { output: `${title}\n${page.url()}\n\n${text === '' ? 'The page has no text.' : text}`.slice(0, limit) };
};

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
