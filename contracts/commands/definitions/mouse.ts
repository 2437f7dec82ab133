import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { pixel, selector } from './members';

/** How a click differs from a plain one. */
const clickOptions = {
  button: z.enum(['left', 'right', 'middle']).optional(),
  clicks: z.int().min(1).max(3).optional(),
  modifiers: z
    .array(z.enum(['Alt', 'Control', 'Meta', 'Shift']))
    .max(4)
    .optional(),
  atX: pixel.optional().describe('with atY: where in the element, from its upper left corner'),
  atY: pixel.optional(),
};

const point = (x?: number, y?: number): string | undefined => (x === undefined ? undefined : `${x}, ${y}`);

/** Commands of the pointer. Coordinates are CSS pixels of the view. */
export const mouseCommands = {
  CLICK_ELEMENT: defineCommand({
    parameters: z.strictObject({ selector, ...clickOptions }),
    stepParameters: z.strictObject({ selector }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown', 'click'],
    mayOpenTab: true,
    prompt: 'click',
    summary: ({ selector: element }) => [toElementText(element)],
    done: (_, element) => `Clicked ${element}`,
  }),
  DOUBLE_CLICK: defineCommand({
    parameters: z.strictObject({ selector }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown', 'click'],
    mayOpenTab: true,
    offered: { words: /double|twice/i },
    prompt: 'click twice in quick succession',
    summary: ({ selector: element }) => [toElementText(element)],
    done: (_, element) => `Double-clicked ${element}`,
  }),
  RIGHT_CLICK: defineCommand({
    parameters: z.strictObject({ selector }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown', 'contextmenu'],
    offered: { words: /right|context/i },
    prompt: 'click with the right button, for a context menu',
    summary: ({ selector: element }) => [toElementText(element)],
    done: (_, element) => `Clicked ${element} with the right button`,
  }),
  PRESS_AND_HOLD: defineCommand({
    parameters: z.strictObject({ selector, seconds: z.number().min(0).max(60).optional() }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown'],
    offered: { words: /\bhold|long/i },
    prompt: 'press the pointer on an element and release it after some seconds (1 unless said)',
    summary: ({ selector: element, seconds }) => [toElementText(element), seconds !== undefined && `${seconds} s`],
    done: ({ seconds }, element) => `Held ${element} for ${seconds ?? 1} s`,
  }),
  /** Opens each menu on the way. An item has no state that would show whether it was chosen, unlike an option. */
  CHOOSE_MENU_ITEM: defineCommand({
    parameters: z.strictObject({
      selector,
      path: z
        .array(z.string().min(1))
        .min(1)
        .max(5)
        .describe('names of items: of each menu on the way, then of the item'),
    }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown', 'click', 'keydown'],
    mayOpenTab: true,
    offered: { states: /^popup/, words: /\bmenu/i },
    prompt: 'open a menu by its button and choose an item, through submenus by their names',
    summary: ({ selector: menu, path }) => [toElementText(menu), path && `<- ${path.join(' > ')}`],
    done: ({ path }, menu) => `Chose ${path.map((name) => `“${name}”`).join(' > ')} in ${menu}`,
  }),
  DRAG_ELEMENT: defineCommand({
    parameters: z
      .strictObject({
        selector,
        toSelector: selector.optional(),
        byX: z.number().min(-100_000).max(100_000).optional().describe('pixels to the right'),
        byY: z.number().min(-100_000).max(100_000).optional().describe('pixels down'),
      })
      .refine(({ toSelector, byX, byY }) => (toSelector === undefined) !== (byX === undefined && byY === undefined), {
        error: 'expected either toSelector, or byX and byY',
      }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown'],
    offered: { states: /^draggable/, words: /drag|\bmove|slide/i },
    prompt: 'drag an element and drop it onto another, or by an offset in pixels',
    summary: ({ selector: element, toSelector, byX = 0, byY = 0 }) => [
      toElementText(element),
      toSelector === undefined ? `by ${byX}, ${byY}` : `onto ${toElementText(toSelector)}`,
    ],
    done: ({ toSelector, byX = 0, byY = 0 }, element) =>
      `Dragged ${element} ${toSelector === undefined ? `by ${byX}, ${byY}` : `onto ${toElementText(toSelector)}`}`,
  }),
  SCROLL: defineCommand({
    parameters: z.strictObject({
      to: z.enum(['up', 'down', 'top', 'bottom', 'element', 'left', 'right']),
      selector: selector.optional(),
      /** Ticks of the wheel, at x and y. */
      amount: z.int().min(1).max(100).optional(),
      x: pixel.optional(),
      y: pixel.optional(),
    }),
    stepParameters: z.strictObject({
      to: z.enum(['up', 'down', 'top', 'bottom', 'element']),
      selector: selector.optional(),
    }),
    effect: 'pure',
    offered: { words: /scroll|bottom|\btop\b/i },
    prompt: 'scroll up, down, to the top, the bottom, or to an element',
    summary: ({ to, selector: element }) => [toElementText(element), to !== undefined && `to ${to}`],
    done: ({ to }, element) => `Scrolled ${to === 'element' ? `to ${element}` : to}`,
  }),
  SCROLL_UNTIL: defineCommand({
    parameters: z.strictObject({ text: z.string().min(1), selector: selector.optional() }),
    effect: 'pure',
    offered: { words: /scroll|until/i },
    prompt: 'scroll down within an element, or the page, until a text shows',
    summary: ({ selector: element, text }) => [toElementText(element), quoted(text, 'until ')],
    done: ({ text }) => `Scrolled until “${text}” showed`,
  }),
  HOVER: defineCommand({
    parameters: z
      .strictObject({ selector: selector.optional(), x: pixel.optional(), y: pixel.optional() })
      .refine(({ selector: element, x, y }) => (element === undefined) === (x !== undefined && y !== undefined), {
        error: 'expected an element, or x and y',
      }),
    stepParameters: z.strictObject({ selector }),
    effect: 'idempotent',
    offered: { words: /hover|pointer|mouse|tooltip/i },
    prompt: 'put the pointer on an element',
    summary: ({ selector: element, x, y }) => [toElementText(element) ?? point(x, y)],
    done: ({ x, y }, element) => `The pointer is ${element === '' ? `at ${x}, ${y}` : `on ${element}`}`,
  }),
  CLICK_POINT: defineCommand({
    parameters: z.strictObject({ x: pixel, y: pixel, ...clickOptions }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown', 'click'],
    mayOpenTab: true,
    summary: ({ x, y }) => [point(x, y)],
    done: ({ x, y }) => `Clicked at ${x}, ${y}`,
  }),
  DRAG: defineCommand({
    parameters: z.strictObject({ x: pixel, y: pixel, toX: pixel, toY: pixel }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown'],
    summary: ({ x, y, toX, toY }) => [point(x, y), 'to', point(toX, toY)],
    done: ({ x, y, toX, toY }) => `Dragged from ${x}, ${y} to ${toX}, ${toY}`,
  }),
};
