import type { BrowserToolArgs } from '../../../../contracts/tools/browser-tools';
import { Refusal } from '../planning/arguments';
import type { BrowserPlan, PlanContext } from '../planning/browser-plan';
import { elementOf } from '../planning/element';
import type { Planners } from './planner';

type Gesture = BrowserToolArgs<'gesture'>;

export const gesturePlanners = {
  choose({ ref, options, mode }, context) {
    const { target, selector, label } = elementOf(context, ref);
    const names = options.map((option) => `“${option}”`).join(', ') || 'nothing';
    return {
      action: 'SELECT_OPTION',
      parameters: { selector, options, ...(mode === undefined ? {} : { mode }) },
      target,
      classification: 'write',
      summary: `${mode === 'remove' ? 'Take away' : 'Choose'} ${names} in the ${label}`,
    };
  },
  menu({ ref, path }, context) {
    const { target, selector, label } = elementOf(context, ref);
    const names = path.map((name) => `“${name}”`).join(' > ');
    return {
      action: 'CHOOSE_MENU_ITEM',
      parameters: { selector, path },
      target,
      classification: 'write',
      summary: `Choose ${names} in the ${label}`,
      approvalScope: `menu ${label} ${path.join('/')}`,
    };
  },
  gesture: (args, context) => GESTURES[args.action](args, context),
} satisfies Partial<Planners>;

const GESTURES: Record<Gesture['action'], (args: Gesture, context: PlanContext) => BrowserPlan> = {
  hold({ ref, seconds }, context) {
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'PRESS_AND_HOLD',
      parameters: { selector, ...(seconds === undefined ? {} : { seconds }) },
      target,
      classification: 'write',
      summary: `Hold the ${label}`,
      approvalScope: `hold ${label}`,
    };
  },
  focus({ ref }, context) {
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'FOCUS_ELEMENT',
      parameters: { selector },
      target,
      classification: 'read',
      summary: `Give the ${label} the focus`,
    };
  },
  drag({ ref, to_ref, by }, context) {
    const { target, selector, label } = elementOf(context, ref);
    if ((to_ref === undefined) === (by === undefined)) throw new Refusal('drag needs either to_ref or by.');
    const to = to_ref === undefined ? undefined : elementOf(context, to_ref);
    const [byX = 0, byY = 0] = by ?? [];
    return {
      action: 'DRAG_ELEMENT',
      parameters: { selector, ...(to === undefined ? { byX, byY } : { toSelector: to.selector }) },
      target,
      ...(to === undefined ? {} : { toTarget: to.target }),
      classification: 'write',
      summary: `Drag the ${label} ${to === undefined ? `by ${byX}, ${byY}` : `onto the ${to.label}`}`,
      approvalScope: `drag ${label} ${to?.label ?? ''}`,
    };
  },
  scroll_until({ ref, text }, context) {
    if (text === undefined) throw new Refusal('scroll_until needs the text that is to show.');
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'SCROLL_UNTIL',
      parameters: { selector, text },
      target,
      classification: 'read',
      summary: `Scroll within the ${label} until “${text}” shows`,
    };
  },
  drop_files({ ref, files }, context) {
    if (files === undefined) throw new Refusal('drop_files needs the names of the files.');
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'DROP_FILES',
      parameters: { selector, files },
      target,
      classification: 'external',
      summary: `Drop ${files.map((file) => `“${file}”`).join(', ')} onto the ${label}`,
      approvalScope: files.join('/'),
    };
  },
};
