import type { BrowserToolArgs } from '../../../../contracts/tools/browser-tools';
import type { BrowserParameters } from '../../../../contracts/commands/commands';
import type { BrowserPlan, PlanContext } from '../planning/browser-plan';
import { elementOf } from '../planning/element';
import { truncateMiddle } from '../../../../rules/page-text/truncate-middle';
import type { Planners } from './planner';
import { hostOf, leavesSite } from './sites';
import { namedKey, modifiersOf } from './keys';
import { Refusal } from '../planning/arguments';

type Args = BrowserToolArgs<'computer'>;
type Action = Args['action'];

export const computerPlanners = {
  computer: (args, context) => ACTIONS[args.action](args, context),
} satisfies Partial<Planners>;

const ACTIONS: Record<Action, (args: Args, context: PlanContext) => BrowserPlan> = {
  left_click: (args, context) => click(args, context, {}, 'Click'),
  right_click: (args, context) => click(args, context, { button: 'right' }, 'Click with the right button'),
  double_click: (args, context) => click(args, context, { clicks: 2 }, 'Double-click'),
  triple_click: (args, context) => click(args, context, { clicks: 3 }, 'Triple-click'),
  type,
  key,
  screenshot: () => ({ action: 'TAKE_SCREENSHOT', parameters: {}, classification: 'read', summary: 'Take a picture' }),
  zoom({ region }) {
    if (region === undefined) throw new Refusal('zoom needs its region: left, top, right and bottom.');
    return {
      action: 'TAKE_SCREENSHOT',
      parameters: { region },
      classification: 'read',
      summary: `Take a picture of ${region.join(', ')}`,
    };
  },
  wait: ({ duration = 1 }) => ({
    action: 'WAIT_FOR',
    parameters: { seconds: duration },
    classification: 'read',
    summary: `Wait ${duration} s`,
  }),
  scroll({ scroll_direction = 'down', scroll_amount = 3, coordinate }) {
    const [x, y] = coordinate ?? [];
    return {
      action: 'SCROLL',
      parameters: { to: scroll_direction, amount: scroll_amount, ...(x === undefined ? {} : { x, y }) },
      classification: 'read',
      summary: `Scroll ${scroll_direction}`,
    };
  },
  scroll_to({ ref }, context) {
    if (ref === undefined) throw new Refusal('scroll_to needs the ref of an element.');
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'SCROLL',
      parameters: { to: 'element', selector },
      target,
      classification: 'read',
      summary: `Scroll to the ${label}`,
    };
  },
  left_click_drag({ start_coordinate, coordinate }) {
    const [x, y] = start_coordinate ?? [];
    const [toX, toY] = coordinate ?? [];
    if (x === undefined || y === undefined || toX === undefined || toY === undefined)
      throw new Refusal('left_click_drag needs start_coordinate and coordinate.');
    return {
      action: 'DRAG',
      parameters: { x, y, toX, toY },
      classification: 'write',
      summary: `Drag from ${x}, ${y} to ${toX}, ${toY}`,
      approvalScope: 'drag',
    };
  },
  hover({ ref, coordinate }, context) {
    if (ref !== undefined) {
      const { target, selector, label } = elementOf(context, ref);
      return {
        action: 'HOVER',
        parameters: { selector },
        target,
        classification: 'read',
        summary: `Point at the ${label}`,
      };
    }
    const [x, y] = pointOf(coordinate, 'hover');
    return { action: 'HOVER', parameters: { x, y }, classification: 'read', summary: `Point at ${x}, ${y}` };
  },
};

function click(
  { action, ref, coordinate, modifiers }: Args,
  context: PlanContext,
  manner: Pick<BrowserParameters, 'button' | 'clicks'>,
  does: string,
): BrowserPlan {
  const held = modifiersOf(modifiers);
  const how = { ...manner, ...(held.length === 0 ? {} : { modifiers: held }) };
  if (ref !== undefined) {
    const { target, selector, label, leadsTo } = elementOf(context, ref);
    const isOffSite = leadsTo !== undefined && leavesSite(context, leadsTo);
    return {
      action: 'CLICK_ELEMENT',
      parameters: { selector, ...how },
      target,
      classification: isOffSite ? 'external' : 'write',
      summary: `${does} the ${label}${isOffSite ? `, which leads to ${leadsTo}` : ''}`,
      ...(isOffSite ? { leadsTo } : {}),
      approvalScope: `${action} ${label}${isOffSite ? ` to ${hostOf(leadsTo)}` : ''}`,
    };
  }
  const [x, y] = pointOf(coordinate, action);
  return {
    action: 'CLICK_POINT',
    parameters: { x, y, ...how },
    classification: 'write',
    summary: `${does} at ${x}, ${y}`,
    approvalScope: `${action} ${x}, ${y}`,
  };
}

function type({ text, ref }: Args, context: PlanContext): BrowserPlan {
  if (text === undefined || text === '') throw new Refusal('type needs its text.');
  const shown = truncateMiddle(text, 200);
  if (ref !== undefined) {
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'INPUT_TEXT',
      parameters: { selector, text },
      target,
      classification: 'write',
      summary: `Write “${shown}” into the ${label}`,
    };
  }
  return {
    action: 'TYPE_TEXT',
    parameters: { text },
    classification: 'write',
    summary: `Type “${shown}” where the focus is`,
    approvalScope: 'type',
  };
}

function key({ text, ref }: Args, context: PlanContext): BrowserPlan {
  if (text === undefined || text === '') throw new Refusal('key needs the key to press in text.');
  const pressed = namedKey(text);
  const element = ref === undefined ? undefined : elementOf(context, ref);
  return {
    action: 'PRESS_KEY',
    parameters: { key: pressed, ...(element === undefined ? {} : { selector: element.selector }) },
    ...(element === undefined ? {} : { target: element.target }),
    classification: 'write',
    summary: `Press ${pressed}${element === undefined ? '' : ` in the ${element.label}`}`,
    approvalScope: `key ${pressed}`,
  };
}

function pointOf(coordinate: number[] | undefined, action: string): [number, number] {
  const [x, y] = coordinate ?? [];
  if (x === undefined || y === undefined) throw new Refusal(`${action} needs a ref or a coordinate.`);
  return [x, y];
}
