import type { Locator } from 'playwright';
import { EngineError } from '../../../activity/failures';
import { pollUntil } from '../poll-until';
import type { ChoosingContext } from './choosing-context';
import { clickOption } from './click-option';
import { keepControl, type KeptControl } from './kept-control';
import { readable } from '../../../../rules/page-text/contains-text';
import { matchOption } from './match-option';
import type { PageOption } from './page-options';
import { popupOf, type Popup } from './popup';
import { countText, isPopupOpen, textOfOption, takesSeveral } from './popup-page';
import type { Wanted } from './wanted';

const SHOWN_LIMIT_MS = 1500;
const READ_LIMIT_MS = 500;

/**
 * Chooses in a control that shows its options when it is opened: combobox, dropdown, a button with a listbox. Resolves when
 * the page shows the choice. What the control shows already is not chosen again, so a repetition does no harm.
 */
export async function chooseInPopup(
  element: Locator,
  { labels, mode }: Wanted,
  context: ChoosingContext,
): Promise<void> {
  const limit = { timeout: context.timeoutMs, signal: context.signal };
  const control = await keepControl(element, limit);
  const before = await control.evaluate(textOfOption, undefined, limit);
  const isWanted = mode !== 'remove';
  const [only] = labels;
  if (labels.length === 1 && isWanted && before.isText && readable(before.text) === readable(only!)) return;
  const popup = await popupOf(control, context);
  const meant: string[] = [];
  for (const label of labels) {
    const counted = await control.evaluate(countText, label, limit).catch(() => 0);
    await popup.open();
    if (mode === 'replace' && label === only) await popup.empty();
    const { handles, place, option } = await findOrClose(popup, label);
    meant.push(option.label);
    if (option.isChosen !== isWanted) await clickOption(handles, place, context, []);
    await assertShown({ control, popup, context, option, isWanted, before: before.text, counted });
  }
  if (mode === 'replace') await removeOthers(control, popup, meant, context);
  await popup.close();
}

/** Finds an option. A list that has no such one is left as it was found. */
async function findOrClose(popup: Popup, label: string): ReturnType<Popup['find']> {
  try {
    const found = await popup.find(label);
    if (!found.option.isMenuItem) return found;
  } catch (error) {
    // What says why is the first error.
    await popup.leave().catch(() => {});
    throw error;
  }
  await popup.leave().catch(() => {});
  throw new EngineError('SM002', `“${label}” is an item of a menu, not an option: use CHOOSE_MENU_ITEM.`);
}

interface Check {
  control: KeptControl;
  popup: Popup;
  context: ChoosingContext;
  option: PageOption;
  isWanted: boolean;
  /** What the control showed, and how often the page had the label, before. */
  before: string;
  counted: number;
}

/** Reads the choice back: by the state of its option, by what the control shows, by what the page shows beside it. */
async function assertShown({ control, popup, context, option, isWanted, before, counted }: Check): Promise<void> {
  const label = readable(option.label.trim().split('\n')[0]!);
  let shown = '';
  const isSo = async (): Promise<boolean> => {
    const now = await control.evaluate(textOfOption, undefined, { timeout: READ_LIMIT_MS }).catch(() => undefined);
    // The page went on with the choice.
    if (now === undefined) return true;
    shown = readable(now.text);
    if (shown.includes(label) === isWanted && (isWanted || shown !== readable(before))) return true;
    const { options } = await popup.read();
    const place = matchOption(options, option.label);
    if (typeof place === 'number' && options[place]!.isChosen === isWanted) return true;
    // Some show a short form of it, others how many are chosen.
    const isShort = shown !== '' && label.includes(shown);
    if (shown !== readable(before)) return isWanted && (isShort || /\d/.test(shown));
    const isClosed = !(await control.evaluate(isPopupOpen, undefined, { timeout: READ_LIMIT_MS }).catch(() => false));
    const count = await control.evaluate(countText, option.label, { timeout: READ_LIMIT_MS });
    return isClosed && (isWanted ? count > counted : count < counted);
  };
  if (await pollUntil(isSo, SHOWN_LIMIT_MS, context.signal)) return;
  const stands = shown === '' ? 'nothing' : `“${shown}”`;
  throw new EngineError(
    'EX003',
    `“${option.label.trim()}” was ${isWanted ? 'chosen' : 'taken away'}, but the control shows ${stands} now.`,
  );
}

/** Takes away what else is chosen, where several can be. */
async function removeOthers(
  control: KeptControl,
  popup: Popup,
  meant: readonly string[],
  context: ChoosingContext,
): Promise<void> {
  const isMany = await control.evaluate(takesSeveral, undefined, { timeout: context.timeoutMs }).catch(() => false);
  if (!isMany && meant.length === 1) return;
  if (meant.length === 0) {
    await popup.open();
    await popup.empty();
  }
  const isOther = ({ label, isChosen }: PageOption): boolean => isChosen === true && !meant.includes(label);
  for (let { handles, options } = await popup.read(); options.some(isOther);) {
    const place = options.findIndex(isOther);
    await clickOption(handles, place, context, []);
    const name = options[place]!.label;
    const isGone = async (): Promise<boolean> =>
      !(await popup.read()).options.some((option) => option.label === name && isOther(option));
    if (!(await pollUntil(isGone, SHOWN_LIMIT_MS, context.signal)))
      throw new EngineError('EX003', `“${name.trim()}” is still chosen after it was clicked to take it away.`);
    ({ handles, options } = await popup.read());
  }
}
