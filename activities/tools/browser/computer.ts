import type { BrowserToolArgs } from '../../../contracts/tools/browser-tools';
import type { BrowserParameters } from '../../../contracts/commands/commands';
import { hasDestructiveControl, isEnterDestructive } from '../destructive-controls';
import { Refusal, type BrowserPlan, type PlanContext } from '../browser-plan';
import { elementOf } from '../element';
import { truncateMiddle } from '../truncate-middle';
import { hostOf, leavesSite } from './going';
import { keyOf, modifiersOf } from './keys';

type Args = BrowserToolArgs<'computer'>;
type Action = Args['action'];

/** Mouse and keyboard: what each action comes to. */
export function computer(args: Args, scene: PlanContext): BrowserPlan {
  return ACTIONS[args.action](args, scene);
}

const ACTIONS: Record<Action, (args: Args, scene: PlanContext) => BrowserPlan> = {
  left_click: (args, scene) => click(args, scene, {}, 'Click'),
  right_click: (args, scene) => click(args, scene, { button: 'right' }, 'Click with the right button'),
  double_click: (args, scene) => click(args, scene, { clicks: 2 }, 'Double-click'),
  triple_click: (args, scene) => click(args, scene, { clicks: 3 }, 'Triple-click'),
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
  scroll_to({ ref }, scene) {
    if (ref === undefined) throw new Refusal('scroll_to needs the ref of an element.');
    const { target, selector, label: told } = elementOf(scene, ref);
    return {
      action: 'SCROLL',
      parameters: { to: 'element', selector },
      target,
      classification: 'read',
      summary: `Scroll to the ${told}`,
    };
  },
  left_click_drag({ start_coordinate, coordinate }, { snapshot: look }) {
    if (start_coordinate === undefined || coordinate === undefined)
      throw new Refusal('left_click_drag needs start_coordinate and coordinate.');
    const [x, y] = start_coordinate;
    const [toX, toY] = coordinate;
    return {
      action: 'DRAG',
      parameters: { x, y, toX, toY },
      classification: hasDestructiveControl(look) ? 'destructive' : 'write',
      summary: `Drag from ${x}, ${y} to ${toX}, ${toY}`,
      approvalScope: 'drag',
    };
  },
  hover({ ref, coordinate }, scene) {
    if (ref !== undefined) {
      const { target, selector, label: told } = elementOf(scene, ref);
      return {
        action: 'HOVER',
        parameters: { selector },
        target,
        classification: 'read',
        summary: `Point at the ${told}`,
      };
    }
    const [x, y] = pointOf(coordinate, 'hover');
    return { action: 'HOVER', parameters: { x, y }, classification: 'read', summary: `Point at ${x}, ${y}` };
  },
};

function click(
  { action, ref, coordinate, modifiers }: Args,
  scene: PlanContext,
  manner: Pick<BrowserParameters, 'button' | 'clicks'>,
  does: string,
): BrowserPlan {
  const held = modifiersOf(modifiers);
  const how = { ...manner, ...(held.length === 0 ? {} : { modifiers: held }) };
  if (ref !== undefined) {
    const { target, selector, label: told, isDestructive: isDangerous, leadsTo } = elementOf(scene, ref);
    const isOffSite = leadsTo !== undefined && leavesSite(scene, leadsTo);
    return {
      action: 'CLICK_ELEMENT',
      parameters: { selector, ...how },
      target,
      classification: isDangerous ? 'destructive' : isOffSite ? 'external' : 'write',
      summary: `${does} the ${told}${isOffSite ? `, which leads to ${leadsTo}` : ''}`,
      ...(isOffSite ? { leadsTo } : {}),
      approvalScope: `${action} ${told}${isOffSite ? ` to ${hostOf(leadsTo)}` : ''}`,
    };
  }
  const [x, y] = pointOf(coordinate, action);
  return {
    action: 'CLICK_POINT',
    parameters: { x, y, ...how },
    // What stands there is not known here.
    classification: hasDestructiveControl(scene.snapshot) ? 'destructive' : 'write',
    summary: `${does} at ${x}, ${y}`,
    approvalScope: `${action} ${x}, ${y}`,
  };
}

function type({ text, ref }: Args, scene: PlanContext): BrowserPlan {
  if (text === undefined || text === '') throw new Refusal('type needs its text.');
  const told = truncateMiddle(text, 200);
  if (ref !== undefined) {
    const { target, selector, label: field } = elementOf(scene, ref);
    return {
      action: 'INPUT_TEXT',
      parameters: { selector, text },
      target,
      classification: 'write',
      summary: `Write “${told}” into the ${field}`,
    };
  }
  // A line end is the Enter key, which may send a form.
  const isSent = /[\r\n]/.test(text) && isEnterDestructive(scene.snapshot);
  return {
    action: 'TYPE_TEXT',
    parameters: { text },
    classification: isSent ? 'destructive' : 'write',
    summary: `Type “${told}” where the focus is`,
    approvalScope: 'type',
  };
}

function key({ text, ref }: Args, scene: PlanContext): BrowserPlan {
  if (text === undefined || text === '') throw new Refusal('key needs the key to press in text.');
  const pressed = keyOf(text);
  const isEnter = /(?:^|\+)(?:Enter|NumpadEnter|Space| )$/.test(pressed);
  const element = ref === undefined ? undefined : elementOf(scene, ref);
  const isDangerous = element === undefined ? isEnterDestructive(scene.snapshot) : element.isDestructive;
  return {
    action: 'PRESS_KEY',
    parameters: { key: pressed, ...(element === undefined ? {} : { selector: element.selector }) },
    ...(element === undefined ? {} : { target: element.target }),
    classification: isEnter && isDangerous ? 'destructive' : 'write',
    summary: `Press ${pressed}${element === undefined ? '' : ` in the ${element.label}`}`,
    approvalScope: `key ${pressed}`,
  };
}

function pointOf(coordinate: number[] | undefined, action: string): [number, number] {
  const [x, y] = coordinate ?? [];
  if (x === undefined || y === undefined) throw new Refusal(`${action} needs a ref or a coordinate.`);
  return [x, y];
}
