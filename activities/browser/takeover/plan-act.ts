import type { PersonAct } from '../../../contracts/browsers/takeover';
import type { PlannedCommand, Target } from '../../../contracts/commands/planned-command';
import { selectorText } from '../../../rules/page-text/durable-target';
import type { SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import { focusedIn, targetAt } from './target-at';

/** What stands in the journal and the log for what a person types into a password field. */
export const MASKED = '[secret]';

/** What a person does, as the command that the journal and the log have of it. */
export type PlannedAct = Pick<PlannedCommand, 'action' | 'parameters' | 'target'>;

export async function planAct(attachment: Attachment, values: SessionValues, act: PersonAct): Promise<PlannedAct> {
  switch (act.kind) {
    case 'click': {
      const { x, y, button, clicks } = act;
      const how = { ...(button === 'left' ? {} : { button }), ...(clicks === 1 ? {} : { clicks }) };
      const target = await targetAt(attachment, values, act);
      return target === undefined
        ? { action: 'CLICK_POINT', parameters: { x, y, ...how } }
        : { action: 'CLICK_ELEMENT', parameters: { ...selectorOf(target), ...how }, target };
    }
    case 'hover': {
      const target = await targetAt(attachment, values, act);
      const parameters = target === undefined ? { x: act.x, y: act.y } : selectorOf(target);
      return { action: 'HOVER', parameters, target };
    }
    case 'wheel': {
      const { x, y, byX, byY } = act;
      const isAcross = Math.abs(byX) > Math.abs(byY);
      const to = isAcross ? (byX > 0 ? 'right' : 'left') : byY > 0 ? 'down' : 'up';
      return { action: 'SCROLL', parameters: { to, x, y } };
    }
    case 'key': {
      const { target } = await focusedTarget(attachment, values);
      return { action: 'PRESS_KEY', parameters: { key: act.key, ...selectorOf(target) }, target };
    }
    case 'text': {
      const { target, isPassword } = await focusedTarget(attachment, values);
      const text = isPassword ? MASKED : values.redact(act.text);
      return { action: 'TYPE_TEXT', parameters: { text }, target };
    }
  }
}

/** A page that can't say which field has the focus may have a password field there. */
async function focusedTarget(attachment: Attachment, values: SessionValues) {
  const focused = await focusedIn(attachment.page).catch(() => ({ isPassword: true, middle: undefined }));
  const target = focused?.middle && (await targetAt(attachment, values, focused.middle));
  return { target, isPassword: focused?.isPassword ?? false };
}

function selectorOf(target: Target | undefined): { selector?: string } {
  return target === undefined ? {} : { selector: selectorText(target) };
}
