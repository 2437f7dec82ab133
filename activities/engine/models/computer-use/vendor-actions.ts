import type { View } from '../../../../contracts/browsers/viewport';
import { isObject } from '../../../../contracts/json';
import type { GeneratedCall } from '../../../../contracts/model-port/language-model';
import { argumentsObject } from '../prompt-parts';

/** A call of one of the engine's tools. */
export interface OwnCall {
  name: string;
  args: Record<string, unknown>;
}

type Args = Record<string, unknown>;

const computer = (action: string, args: Args = {}): OwnCall => ({ name: 'computer', args: { action, ...args } });
const go = (url: 'back' | 'forward'): OwnCall => ({ name: 'navigate', args: { url } });
const at = (x: unknown, y: unknown): Args => ({ coordinate: [Number(x), Number(y)] });

/** The function that is declared to Gemini beside its own: those give a picture after an action alone. */
export const PICTURE_FUNCTION = 'picture_of_page';

/** What Gemini's computer use calls, with coordinates in thousandths of the view; undefined for any other function. */
export function fromGemini({ name, args: text }: GeneratedCall, { width, height }: View): OwnCall[] | undefined {
  const args = argumentsObject(text);
  const point = (x: unknown, y: unknown): number[] => [
    Math.round((Number(x) / 1000) * width),
    Math.round((Number(y) / 1000) * height),
  ];
  const here = { coordinate: point(args['x'], args['y']) };
  switch (name) {
    case PICTURE_FUNCTION:
      return [computer('screenshot')];
    case 'click_at':
      return [computer('left_click', here)];
    case 'hover_at':
      return [computer('hover', here)];
    case 'type_text_at':
      return [
        computer('left_click', here),
        ...(args['clear_before_typing'] === false ? [] : [computer('key', { text: 'ControlOrMeta+A' })]),
        computer('type', { text: args['text'] }),
        ...(args['press_enter'] === false ? [] : [computer('key', { text: 'Enter' })]),
      ];
    case 'key_combination':
      return [computer('key', { text: args['keys'] })];
    case 'scroll_document':
      return [computer('scroll', { scroll_direction: args['direction'] })];
    case 'scroll_at':
      return [
        computer('scroll', {
          ...here,
          scroll_direction: args['direction'],
          scroll_amount: ticksOf(((Number(args['magnitude'] ?? 800) || 800) / 1000) * height),
        }),
      ];
    case 'drag_and_drop':
      return [
        computer('left_click_drag', {
          start_coordinate: here.coordinate,
          coordinate: point(args['destination_x'], args['destination_y']),
        }),
      ];
    case 'wait_5_seconds':
      return [computer('wait', { duration: 5 })];
    default:
      return undefined;
  }
}

/** Functions of Gemini's computer use that the engine's own tools stand for. */
export const EXCLUDED_GEMINI_FUNCTIONS = ['open_web_browser', 'search', 'navigate', 'go_back', 'go_forward'];

/** One call of OpenAI's computer tool has several actions. */
export function fromOpenai({ name, args: text }: GeneratedCall): OwnCall[] | undefined {
  const actions = argumentsObject(text)['actions'];
  if (name !== 'computer' || !Array.isArray(actions)) return undefined;
  return actions.filter(isObject).map((action): OwnCall => {
    const { type, x, y, button, keys } = action;
    const held = Array.isArray(keys) && keys.length > 0 ? { modifiers: keys.join('+') } : {};
    switch (type) {
      case 'click':
        if (button === 'back' || button === 'forward') return go(button);
        return computer(button === 'right' ? 'right_click' : button === 'wheel' ? 'middle_click' : 'left_click', {
          ...at(x, y),
          ...held,
        });
      case 'double_click':
        return computer('double_click', { ...at(x, y), ...held });
      case 'move':
        return computer('hover', at(x, y));
      case 'drag': {
        const path = (Array.isArray(action['path']) ? action['path'] : []).filter(isObject);
        const [first, last] = [path[0], path.at(-1)];
        const ends = { start_coordinate: [first?.['x'], first?.['y']], ...at(last?.['x'], last?.['y']) };
        return computer('left_click_drag', ends);
      }
      case 'keypress':
        return computer('key', { text: Array.isArray(keys) ? keys.join('+') : '' });
      case 'scroll': {
        const [right, down] = [Number(action['scrollX'] ?? 0), Number(action['scrollY'] ?? 0)];
        const isAcross = Math.abs(right) > Math.abs(down);
        const direction = isAcross ? (right > 0 ? 'right' : 'left') : down > 0 ? 'down' : 'up';
        const amount = ticksOf(isAcross ? right : down);
        return computer('scroll', { ...at(x, y), scroll_direction: direction, scroll_amount: amount });
      }
      case 'type':
        return computer('type', { text: action['text'] });
      case 'wait':
        return computer('wait', { duration: 2 });
      default:
        return computer(String(type));
    }
  });
}

/** Anthropic's computer tool is what ours was modelled on. */
export function fromAnthropic({ name, args: text }: GeneratedCall): OwnCall[] | undefined {
  if (name !== 'computer') return undefined;
  const { action, text: words, ...args } = argumentsObject(text);
  const named = action === 'mouse_move' ? 'hover' : String(action);
  const said = words === undefined ? {} : /click/.test(named) ? { modifiers: words } : { text: words };
  return [computer(named, { ...args, ...said })];
}

/** A tick of the wheel is 100 pixels. */
function ticksOf(pixels: number): number {
  return Math.min(10, Math.max(1, Math.round(Math.abs(pixels) / 100)));
}
