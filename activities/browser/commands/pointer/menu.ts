import { EngineError } from '../../../activity/failures';
import { rearm } from '../../targets/delivery-marker';
import type { CommandContext } from '../handlers/command-handler';
import { pollUntil } from '../poll-until';
import { clickOption } from '../choosing/click-option';
import { keepControl } from '../choosing/kept-control';
import { matchOption } from '../choosing/match-option';
import { popupOf } from '../choosing/popup';
import { noSuchOptionError, placesOf } from '../choosing/wanted';

const SHOWN_LIMIT_MS = 1500;
/** Menus wait a moment before they open a submenu under the pointer. */
const HOVER_LIMIT_MS = 700;

/**
 * Opens a menu and its submenus, then chooses an item. What opens a menu may be done again; so the delivery marker is armed
 * anew right before the item is clicked, and a worker that takes over knows whether that happened.
 */
export async function chooseMenuItem(context: CommandContext<'CHOOSE_MENU_ITEM'>): Promise<void> {
  const { page, element, parameters, commandId, timeoutMs } = context;
  // A commit is not stopped by a pause.
  const choosing = { page, timeoutMs, signal: new AbortController().signal };
  const popup = await popupOf(await keepControl(element, { timeout: timeoutMs }), choosing);
  const [first = ''] = parameters.path;
  const isFirstThere = async (): Promise<boolean> => matchOption((await popup.read()).options, first) !== undefined;
  // An item of a menu opens its submenu under the pointer; a click could choose the item itself.
  const isItem = await element.evaluate((node) => (node.getAttribute('role') ?? '').startsWith('menuitem'));
  if (isItem) await element.hover({ timeout: timeoutMs });
  if (!isItem || !(await pollUntil(isFirstThere, HOVER_LIMIT_MS, choosing.signal))) await popup.open();
  for (const [depth, name] of parameters.path.entries()) {
    let shown = await popup.read();
    const isThere = async (): Promise<boolean> => matchOption((shown = await popup.read()).options, name) !== undefined;
    if (!(await pollUntil(isThere, SHOWN_LIMIT_MS, choosing.signal))) throw noSuchOptionError(name, shown.options);
    const [place = 0] = placesOf(shown.options, [name]);
    if (depth === parameters.path.length - 1) {
      await rearm(page, { commandId, action: 'CHOOSE_MENU_ITEM' });
      await clickOption(shown.handles, place, choosing, []);
      return;
    }
    const item = (await shown.handles.evaluateHandle((list, index) => list[index]!, place)).asElement();
    await item?.hover({ timeout: timeoutMs });
    const next = parameters.path[depth + 1]!;
    const isNextThere = async (): Promise<boolean> => matchOption((await popup.read()).options, next) !== undefined;
    // A submenu opens under the pointer, or by a click.
    if (await pollUntil(isNextThere, HOVER_LIMIT_MS, choosing.signal)) continue;
    await clickOption(shown.handles, place, choosing, []);
  }
  throw new EngineError('SM002', 'CHOOSE_MENU_ITEM needs the names on the way to its item.');
}
