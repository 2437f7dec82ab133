import type { Page } from 'playwright';
import type { PersonAct } from '../../../contracts/browsers/takeover';
import type { PlannedCommand, Target } from '../../../contracts/commands/planned-command';
import type { AskedByPage } from '../../../store/browsers/takeovers';
import type { SessionValues } from '../../secrets/session-values';
import { selectorText } from '../../../rules/page-text/durable-target';
import type { ActContext } from './act-context';
import { focusedIn, targetAt, type ReadPage } from './target-at';

/** What stands in the journal and the log for what a person types into a password field. */
export const MASKED = '[secret]';

const BOX_LIMIT_MS = 1000;

/** What a person does, as the command that the journal and the log have of it. */
export type PlannedAct = Pick<PlannedCommand, 'action' | 'parameters' | 'target'>;

/** Plans an act on a page that was read just before; `ref` is its element there. */
export async function planAct(
  { attachment: { page }, values, asks }: ActContext,
  read: ReadPage | undefined,
  act: PersonAct,
): Promise<{ planned: PlannedAct; ref?: string | undefined }> {
  switch (act.kind) {
    case 'click': {
      const { x, y, button, clicks } = act;
      const how = { ...(button === 'left' ? {} : { button }), ...(clicks === 1 ? {} : { clicks }) };
      const found = await targetAt(page, read, act);
      if (found === undefined) return { planned: { action: 'CLICK_POINT', parameters: { x, y, ...how } } };
      const { target, ref } = found;
      return { planned: { action: 'CLICK_ELEMENT', parameters: { ...selectorOf(target), ...how }, target }, ref };
    }
    case 'hover': {
      const { target, ref } = (await targetAt(page, read, act)) ?? {};
      const parameters = target === undefined ? { x: act.x, y: act.y } : selectorOf(target);
      return { planned: { action: 'HOVER', parameters, target }, ref };
    }
    case 'wheel': {
      const { x, y, byX, byY } = act;
      const isAcross = Math.abs(byX) > Math.abs(byY);
      const to = isAcross ? (byX > 0 ? 'right' : 'left') : byY > 0 ? 'down' : 'up';
      return { planned: { action: 'SCROLL', parameters: { to, x, y } } };
    }
    case 'key': {
      const { target, ref } = await focusedTarget(page, read);
      return { planned: { action: 'PRESS_KEY', parameters: { key: act.key, ...selectorOf(target) }, target }, ref };
    }
    case 'text': {
      const { target, ref, isPassword } = await focusedTarget(page, read);
      const text = isPassword ? MASKED : values.redact(act.text);
      return { planned: { action: 'TYPE_TEXT', parameters: { text }, target }, ref };
    }
    case 'choose': {
      const { shown, target } = askedBy(asks, act) ?? {};
      const ref = target && (await targetOf(page, read, target))?.ref;
      const option = shown?.kind === 'list' ? shown.options[act.option]?.label : undefined;
      return { planned: { action: 'SELECT_OPTION', parameters: { ...selectorOf(target), option }, target }, ref };
    }
    case 'files': {
      const { target } = askedBy(asks, act) ?? {};
      const ref = target && (await targetOf(page, read, target))?.ref;
      return {
        planned: { action: 'UPLOAD_FILE', parameters: { ...selectorOf(target), files: act.files }, target },
        ref,
      };
    }
    case 'dialog':
      return { planned: planDialogAnswer(act, values) };
    case 'tab':
      return { planned: { action: 'SWITCH_TAB', parameters: { tab: String(act.tab) } } };
  }
}

export function planDialogAnswer(
  { accept, text }: Extract<PersonAct, { kind: 'dialog' }>,
  values: SessionValues,
): PlannedAct {
  const promptText = text === undefined ? {} : { promptText: values.redact(text) };
  return { action: 'HANDLE_DIALOG', parameters: { accept, ...promptText } };
}

/** What the page asks, where this act answers it. */
export function askedBy(asks: ActContext['asks'], { ask }: { ask: number }): AskedByPage | undefined {
  return asks?.shown.ask === ask ? asks : undefined;
}

async function targetOf(page: Page, read: ReadPage | undefined, target: Target) {
  const box = await page
    .locator(selectorText(target))
    .boundingBox({ timeout: BOX_LIMIT_MS })
    .catch(() => null);
  return box === null ? undefined : await targetAt(page, read, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
}

/** A page that can't say which field has the focus may have a password field there. */
async function focusedTarget(page: Page, read: ReadPage | undefined) {
  const focused = await focusedIn(page).catch(() => ({ isPassword: true, middle: undefined }));
  const found = focused?.middle && (await targetAt(page, read, focused.middle));
  return { ...found, isPassword: focused?.isPassword ?? false };
}

function selectorOf(target: Target | undefined): { selector?: string } {
  return target === undefined ? {} : { selector: selectorText(target) };
}
