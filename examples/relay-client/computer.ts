import type { Page } from 'playwright';
import { z } from 'zod';
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import { callPage, type PageTools } from './page-tools';
import { settling } from './settling';

const PointSchema = z.tuple([z.number(), z.number()]);
const MAX_WAIT_S = 30;
const PIXELS_OF_A_TICK = 100;

export const ComputerInputSchema = z.object({
  action: z.enum([
    'left_click',
    'right_click',
    'double_click',
    'triple_click',
    'hover',
    'left_click_drag',
    'type',
    'key',
    'screenshot',
    'zoom',
    'wait',
    'scroll',
    'scroll_to',
  ]),
  coordinate: PointSchema.optional(),
  start_coordinate: PointSchema.optional(),
  ref: z.union([z.string(), z.number()]).optional(),
  text: z.string().optional(),
  duration: z.number().min(0).max(MAX_WAIT_S).optional(),
  scroll_direction: z.enum(['up', 'down', 'left', 'right']).optional(),
  scroll_amount: z.number().min(1).max(10).optional(),
  region: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
});
type ComputerInput = z.infer<typeof ComputerInputSchema>;

const CLICKS = {
  left_click: {},
  right_click: { button: 'right' },
  double_click: { clickCount: 2 },
  triple_click: { clickCount: 3 },
} as const;
const KEYS: Record<string, string> = {
  ctrl: 'Control',
  control: 'Control',
  cmd: 'Meta',
  meta: 'Meta',
  alt: 'Alt',
  shift: 'Shift',
  enter: 'Enter',
  return: 'Enter',
  tab: 'Tab',
  esc: 'Escape',
  escape: 'Escape',
  space: 'Space',
};
const WHEEL = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;

export async function computer(tools: PageTools, input: ComputerInput): Promise<BrowserToolResult> {
  const { page } = tools;
  const { action, text = '' } = input;
  switch (action) {
    case 'screenshot':
      return await picture(page);
    case 'zoom': {
      if (input.region === undefined) return missing('region');
      const [left, top, right, bottom] = input.region;
      return await picture(page, { x: left, y: top, width: right - left, height: bottom - top });
    }
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, (input.duration ?? 1) * 1000));
      return done(`Waited ${input.duration ?? 1} s.`);
    case 'type':
      await page.keyboard.type(text);
      return done(`Typed ${text.length} characters.`);
    case 'key':
      await settling(page, async () => {
        for (const stroke of text.split(' ').filter((each) => each !== '')) await page.keyboard.press(keyOf(stroke));
      });
      return done(`Pressed ${text}.`);
    default:
      return await pointed(tools, { ...input, action });
  }
}

type Pointed = ComputerInput & {
  action: keyof typeof CLICKS | 'hover' | 'left_click_drag' | 'scroll' | 'scroll_to';
};

/** Actions at a place, which is given by coordinates or by an element. */
async function pointed(tools: PageTools, input: Pointed): Promise<BrowserToolResult> {
  const { page } = tools;
  const { action, ref } = input;
  const located = ref === undefined ? undefined : await callPage(tools, 'locate', { ref });
  if (located?.success === false) return located;
  const middle = PointerSchema.safeParse(located?.output).data;
  const place = middle ?? toPointer(input.coordinate);
  if (action === 'scroll') {
    const [across, down] = WHEEL[input.scroll_direction ?? 'down'];
    const pixels = (input.scroll_amount ?? 3) * PIXELS_OF_A_TICK;
    if (place !== undefined) await page.mouse.move(place.x, place.y);
    await page.mouse.wheel(across * pixels, down * pixels);
    return done(`Scrolled ${input.scroll_direction ?? 'down'}.`);
  }
  if (place === undefined) return missing('ref or coordinate');
  const at = ref === undefined ? `(${place.x}, ${place.y})` : `element ${ref}`;
  if (action === 'scroll_to') return done(`Brought ${at} into view.`);
  if (action === 'hover') {
    await page.mouse.move(place.x, place.y);
    return done(`The pointer is over ${at}.`);
  }
  if (action === 'left_click_drag') {
    const start = toPointer(input.start_coordinate);
    if (start === undefined) return missing('start_coordinate');
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(place.x, place.y, { steps: 5 });
    await page.mouse.up();
    return done(`Dragged to ${at}.`);
  }
  await settling(page, () => page.mouse.click(place.x, place.y, CLICKS[action]));
  return done(`Did ${action} at ${at}.`);
}

const PointerSchema = z.object({ x: z.number(), y: z.number() });

function toPointer(point: readonly [number, number] | undefined): { x: number; y: number } | undefined {
  return point === undefined ? undefined : { x: point[0], y: point[1] };
}

async function picture(
  page: Page,
  clip?: { x: number; y: number; width: number; height: number },
): Promise<BrowserToolResult> {
  const image = await page.screenshot({ type: 'png', ...(clip === undefined ? {} : { clip }) });
  return { success: true, screenshot: { data: image.toString('base64'), mediaType: 'image/png' } };
}

function keyOf(stroke: string): string {
  return stroke
    .split('+')
    .map((part) => KEYS[part.toLowerCase()] ?? part)
    .join('+');
}

function done(output: string): BrowserToolResult {
  return { success: true, output };
}

function missing(what: string): BrowserToolResult {
  return { success: false, error: `This action needs ${what}.` };
}
