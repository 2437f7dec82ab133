import { z } from 'zod';
import { defineCommand } from '../define-command';
import { toElementText } from '../element-text';
import { pixel, selector } from './members';

/** How a click differs from a plain one. */
const clickOptions = {
  button: z.enum(['left', 'right', 'middle']).optional(),
  clicks: z.int().min(1).max(3).optional(),
  modifiers: z
    .array(z.enum(['Alt', 'Control', 'Meta', 'Shift']))
    .max(4)
    .optional(),
};

const point = (x?: number, y?: number): string | undefined => (x === undefined ? undefined : `${x}, ${y}`);

/** Commands of the pointer. Coordinates are CSS pixels of the view. */
export const mouseCommands = {
  CLICK_ELEMENT: defineCommand({
    parameters: z.strictObject({ selector, ...clickOptions }),
    stepParameters: z.strictObject({ selector }),
    effect: 'commit',
    prompt: 'click',
    summary: ({ selector: element }) => [toElementText(element)],
    done: (_, element) => `Clicked ${element}`,
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
    prompt: 'scroll up, down, to the top, the bottom, or to an element',
    summary: ({ to, selector: element }) => [toElementText(element), to !== undefined && `to ${to}`],
    done: ({ to }, element) => `Scrolled ${to === 'element' ? `to ${element}` : to}`,
  }),
  HOVER: defineCommand({
    parameters: z
      .strictObject({ selector: selector.optional(), x: pixel.optional(), y: pixel.optional() })
      .refine(({ selector: element, x, y }) => (element === undefined) === (x !== undefined && y !== undefined), {
        error: 'expected an element, or x and y',
      }),
    effect: 'idempotent',
    summary: ({ selector: element, x, y }) => [toElementText(element) ?? point(x, y)],
    done: ({ x, y }, element) => `The pointer is ${element === '' ? `at ${x}, ${y}` : `on ${element}`}`,
  }),
  CLICK_POINT: defineCommand({
    parameters: z.strictObject({ x: pixel, y: pixel, ...clickOptions }),
    effect: 'commit',
    summary: ({ x, y }) => [point(x, y)],
    done: ({ x, y }) => `Clicked at ${x}, ${y}`,
  }),
  DRAG: defineCommand({
    parameters: z.strictObject({ x: pixel, y: pixel, toX: pixel, toY: pixel }),
    effect: 'commit',
    summary: ({ x, y, toX, toY }) => [point(x, y), 'to', point(toX, toY)],
    done: ({ x, y, toX, toY }) => `Dragged from ${x}, ${y} to ${toX}, ${toY}`,
  }),
};
