import { z } from 'zod';

/** Actions that only tools have: no model of the ACT-REFLECT loop is offered them, and no reply of it may hold one. */
export enum ToolAction {
  READ_PAGE = 'READ_PAGE',
  FIND_ELEMENTS = 'FIND_ELEMENTS',
  READ_TEXT = 'READ_TEXT',
  LIST_TABS = 'LIST_TABS',
  TAKE_SCREENSHOT = 'TAKE_SCREENSHOT',
  EXTRACT = 'EXTRACT',
  HOVER = 'HOVER',
  CLICK_POINT = 'CLICK_POINT',
  DRAG = 'DRAG',
  TYPE_TEXT = 'TYPE_TEXT',
  GO_FORWARD = 'GO_FORWARD',
  RUN_SCRIPT = 'RUN_SCRIPT',
  UPLOAD_FILE = 'UPLOAD_FILE',
  DOWNLOAD_FILE = 'DOWNLOAD_FILE',
}

/** Characters of a tool's output that are kept; a model is told no more of it. */
export const MAX_OUTPUT = 50_000;

const selector = z.string().min(1);
const pixel = z.number().min(0).max(100_000);
const maxCharacters = z.int().min(1).max(MAX_OUTPUT).optional();
const modifiers = z.array(z.enum(['Alt', 'Control', 'Meta', 'Shift'])).max(4);

/** How a click differs from a plain one. */
export const CLICK_MANNER = {
  button: z.enum(['left', 'right', 'middle']).optional(),
  clicks: z.int().min(1).max(3).optional(),
  modifiers: modifiers.optional(),
};

/** Of a SCROLL that says how far, or where the pointer stands. */
export const SCROLL_MANNER = {
  amount: z.int().min(1).max(100).optional(),
  x: pixel.optional(),
  y: pixel.optional(),
};

export const TOOL_PARAMETERS = {
  READ_PAGE: z.strictObject({ filter: z.enum(['all', 'interactive']).optional(), maxCharacters }),
  FIND_ELEMENTS: z.strictObject({ query: z.string().min(1).max(1000) }),
  READ_TEXT: z.strictObject({ maxCharacters }),
  LIST_TABS: z.strictObject({}),
  /** `region`: left, top, right and bottom in CSS pixels of the view. */
  TAKE_SCREENSHOT: z.strictObject({ region: z.array(pixel).length(4).optional() }),
  EXTRACT: z.strictObject({ schema: z.record(z.string(), z.unknown()) }),
  HOVER: z
    .strictObject({ selector: selector.optional(), x: pixel.optional(), y: pixel.optional() })
    .refine(({ selector: one, x, y }) => (one === undefined) === (x !== undefined && y !== undefined), {
      error: 'expected an element, or x and y',
    }),
  CLICK_POINT: z.strictObject({ x: pixel, y: pixel, ...CLICK_MANNER }),
  DRAG: z.strictObject({ x: pixel, y: pixel, toX: pixel, toY: pixel }),
  TYPE_TEXT: z.strictObject({ text: z.string().min(1) }),
  GO_FORWARD: z.strictObject({}),
  RUN_SCRIPT: z.strictObject({ script: z.string().min(1).max(100_000) }),
  UPLOAD_FILE: z.strictObject({ selector, files: z.array(z.string().min(1)).min(1).max(20) }),
  /** What pressing an element, or opening an address, brings as a file. */
  DOWNLOAD_FILE: z
    .strictObject({ selector: selector.optional(), url: z.string().min(1).optional() })
    .refine(({ selector: one, url }) => (one === undefined) !== (url === undefined), {
      error: 'expected an element, or an address',
    }),
} satisfies Record<ToolAction, z.ZodType>;

/** Members that only these actions have, for the flat bag of parameters. */
export const TOOL_MEMBERS = {
  filter: z.enum(['all', 'interactive']).optional(),
  maxCharacters: z.number().optional(),
  query: z.string().optional(),
  region: z.array(z.number()).optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  toX: z.number().optional(),
  toY: z.number().optional(),
  button: z.enum(['left', 'right', 'middle']).optional(),
  clicks: z.number().optional(),
  modifiers: modifiers.optional(),
  amount: z.number().optional(),
  script: z.string().optional(),
  files: z.array(z.string()).optional(),
};

export const TOOL_EFFECT = {
  READ_PAGE: 'pure',
  FIND_ELEMENTS: 'pure',
  READ_TEXT: 'pure',
  LIST_TABS: 'pure',
  TAKE_SCREENSHOT: 'pure',
  EXTRACT: 'pure',
  HOVER: 'idempotent',
  CLICK_POINT: 'commit',
  DRAG: 'commit',
  TYPE_TEXT: 'commit',
  GO_FORWARD: 'commit',
  RUN_SCRIPT: 'commit',
  // A page may send what it is given at once.
  UPLOAD_FILE: 'commit',
  DOWNLOAD_FILE: 'commit',
} as const satisfies Record<ToolAction, string>;
