import { z } from 'zod';
import type { EffectClass } from '../commands/define-command';
import { MAX_OUTPUT } from '../commands/definitions/members';
import { dataAttribute, extractedFields, MOST_CHOSEN } from '../commands/definitions/reading';
import type { ToolInput } from './tool-input';
import { COMMAND_TOOLS } from './command-tools';

/** The browser's tools as a model is offered them. Declared here, where a relay and a caller's process see them too. */

const WAIT_MS = 35_000;
const OTHER_MS = 15_000;

interface RemoteFacts {
  /** What running it twice may do in a remote browser; a tool without it is offered for the session's own browser alone. */
  remoteEffect?: (input: ToolInput) => EffectClass;
  /** How long a remote browser may take, where that is not 15 s. */
  remoteTimeoutMs?: (input: ToolInput) => number;
}

interface BrowserToolDefinition<P extends z.ZodObject> extends RemoteFacts {
  description: string;
  parameters: P;
}

function defineBrowserTool<P extends z.ZodObject>(definition: BrowserToolDefinition<P>): BrowserToolDefinition<P> {
  return definition;
}

const ref = z.string().min(1);
const maxCharacters = z.int().min(1).max(MAX_OUTPUT).optional().describe('50000 unless given');
const point = z.array(z.number().min(0)).length(2).optional();

const read_page = defineBrowserTool({
  description: 'The whole page as a tree of elements with role, name and ref.',
  parameters: z.strictObject({
    filter: z.enum(['all', 'interactive']).optional().describe('interactive: what can be used'),
    max_chars: maxCharacters,
  }),
  remoteEffect: () => 'pure',
});

const form_input = defineBrowserTool({
  description:
    'Fills one form control, list, checkbox or date: with text (replaces what was there), the label of an option, true or false, yyyy-mm-dd.',
  parameters: z.strictObject({
    ref,
    value: z.union([z.string(), z.number(), z.boolean()]),
  }),
  remoteEffect: () => 'idempotent',
});

/** What running each action twice may do. */
const COMPUTER_ACTIONS = {
  left_click: 'commit',
  right_click: 'commit',
  double_click: 'commit',
  triple_click: 'commit',
  type: 'commit',
  key: 'commit',
  screenshot: 'pure',
  zoom: 'pure',
  wait: 'pure',
  scroll: 'pure',
  scroll_to: 'pure',
  left_click_drag: 'commit',
  hover: 'pure',
} as const;
type ComputerAction = keyof typeof COMPUTER_ACTIONS;

function isComputerAction(action: unknown): action is ComputerAction {
  return Object.hasOwn(COMPUTER_ACTIONS, String(action));
}

const computer = defineBrowserTool({
  description:
    'Mouse and keyboard, at a ref or else at a coordinate [x, y] of the view. type writes where the focus is; key presses one key, such as Enter or Control+A.',
  parameters: z.strictObject({
    action: z.enum(Object.keys(COMPUTER_ACTIONS) as ComputerAction[]),
    ref: ref.optional(),
    coordinate: point,
    start_coordinate: point.describe('of a drag'),
    text: z.string().optional().describe('to type, or the key'),
    modifiers: z.string().optional().describe('keys held, such as Shift+Alt'),
    duration: z.number().min(0).max(30).optional().describe('seconds'),
    scroll_direction: z.enum(['up', 'down', 'left', 'right']).optional(),
    scroll_amount: z.int().min(1).max(10).optional(),
    region: z.array(z.number().min(0)).length(4).optional().describe('left, top, right, bottom'),
  }),
  remoteEffect: ({ action }) => (isComputerAction(action) ? COMPUTER_ACTIONS[action] : 'commit'),
  remoteTimeoutMs: ({ action }) => (action === 'wait' ? WAIT_MS : OTHER_MS),
});

const navigate = defineBrowserTool({
  description: 'Opens an address, or goes "back" or "forward".',
  parameters: z.strictObject({ url: z.string().min(1).max(4096) }),
  remoteEffect: ({ url }) => (url === 'back' || url === 'forward' ? 'commit' : 'idempotent'),
  remoteTimeoutMs: () => 30_000,
});

const get_page_text = defineBrowserTool({
  description:
    'The text of the page as a reader has it, its main article first. For reading, not for using: it has no refs.',
  parameters: z.strictObject({ max_chars: maxCharacters }),
  remoteEffect: () => 'pure',
});

const javascript_tool = defineBrowserTool({
  description:
    'Runs JavaScript in the page and gives the value of its last expression as JSON. Only where no other tool can do it; a person is asked before a script that may change something.',
  parameters: z.strictObject({
    action: z.literal('javascript_exec').optional(),
    expression: z.string().min(1).max(100_000),
  }),
  remoteEffect: () => 'commit',
});

const tabs = defineBrowserTool({
  description: 'Without tab: the open tabs. With tab: goes to that one.',
  parameters: z.strictObject({
    tab: z.string().min(1).optional().describe('last, first, next, a number from 1, or part of a title or address'),
  }),
});

const wait = defineBrowserTool({
  description: 'Waits until a text is on the page (or, with hidden, is gone), or for some seconds.',
  parameters: z
    .strictObject({
      text: z.string().min(1).optional(),
      hidden: z.boolean().optional(),
      seconds: z.number().min(0).max(30).optional(),
    })
    .refine(({ text, seconds }) => text !== undefined || seconds !== undefined, { error: 'expected text or seconds' }),
  remoteTimeoutMs: () => WAIT_MS,
});

const dialogs = defineBrowserTool({
  description:
    'Says how the next question that the page asks in a dialog (confirm, prompt) is answered; call it before what makes the page ask. Without it a question is dismissed.',
  parameters: z.strictObject({
    accept: z.boolean(),
    text: z.string().optional().describe('what to answer to a prompt'),
  }),
});

const upload = defineBrowserTool({
  description: 'Gives files to a file field. Only names of files that the operator has put into the upload folder.',
  parameters: z.strictObject({ ref, files: z.array(z.string().min(1).max(255)).min(1).max(20) }),
});

const download = defineBrowserTool({
  description: 'Downloads a file, by the link or button that brings it or by its address, and keeps it as an artifact.',
  parameters: z
    .strictObject({
      ref: ref.optional(),
      url: z
        .url({ protocol: /^https?$/ })
        .max(4096)
        .optional(),
    })
    .refine((given) => (given.ref === undefined) !== (given.url === undefined), {
      error: 'expected either ref or url',
    }),
});

const choose = defineBrowserTool({
  description:
    'Chooses options by their labels in a list, combobox, radio group or segmented control, open or closed. What was chosen before goes, unless mode is add or remove; options of a list that takes one are one.',
  parameters: z.strictObject({
    ref,
    options: z.array(z.string().min(1)).max(50),
    mode: z.enum(['replace', 'add', 'remove']).optional(),
  }),
});

const menu = defineBrowserTool({
  description: 'Opens a menu by its button and chooses an item: path has the names of the submenus, then of the item.',
  parameters: z.strictObject({ ref, path: z.array(z.string().min(1)).min(1).max(5) }),
});

const gesture = defineBrowserTool({
  description:
    'What the pointer does to one element: hold presses it for some seconds, drag drops it onto to_ref or moves it by pixels, scroll_until scrolls within it until a text shows, drop_files drops files of the upload folder onto it, focus gives it the focus.',
  parameters: z.strictObject({
    action: z.enum(['hold', 'drag', 'scroll_until', 'drop_files', 'focus']),
    ref,
    to_ref: ref.optional(),
    by: z.array(z.number().min(-10_000).max(10_000)).length(2).optional().describe('pixels to the right, and down'),
    seconds: z.number().min(0).max(30).optional(),
    text: z.string().min(1).optional(),
    files: z.array(z.string().min(1).max(255)).min(1).max(20).optional(),
  }),
});

const extract = defineBrowserTool({
  description:
    'Data of the page as JSON: fields are found by their names among labels, fields of forms and headings, or, with rows, among the columns of a table or the parts of repeated items. Without fields: what the task is to return, which is then kept.',
  parameters: z
    .strictObject({
      fields: extractedFields.optional().describe('what to read; left out, what the task is to return'),
      rows: z.boolean().optional().describe('true: every row of the table, or item of the list, that has these fields'),
      values: z
        .array(
          z.strictObject({
            member: z.string().min(1).max(500).describe('as the task is to return it: price, or address.city'),
            ref,
            attribute: dataAttribute
              .optional()
              .describe('to read in place of the text: href, src, alt, title, datetime, data-id'),
          }),
        )
        .min(1)
        .max(MOST_CHOSEN)
        .optional()
        .describe(
          'without fields: the elements that have the values which are not found by name, or wrongly. Of a list name those of one row; the rows like it are read the same way',
        ),
    })
    .refine(({ fields, values }) => fields === undefined || values === undefined, {
      error: 'expected either fields or values',
    }),
});

const { find, ...commandTools } = COMMAND_TOOLS;

/** In the order in which they are offered, which never changes (prompt caches): a new one comes last. */
export const BROWSER_TOOLS = {
  read_page,
  find,
  form_input,
  computer,
  navigate,
  get_page_text,
  javascript_tool,
  tabs,
  wait,
  dialogs,
  upload,
  download,
  extract,
  ...commandTools,
  choose,
  menu,
  gesture,
};

type BrowserTools = typeof BROWSER_TOOLS;
export type BrowserToolName = keyof BrowserTools;
export type BrowserToolArgs<N extends BrowserToolName> = z.output<BrowserTools[N]['parameters']>;

export function isBrowserTool(name: string): name is BrowserToolName {
  return Object.hasOwn(BROWSER_TOOLS, name);
}

/** The tools of S0's origin: those that a relayed browser and the process of a caller execute. */
export const REMOTE_BROWSER_TOOLS: readonly BrowserToolName[] = Object.keys(BROWSER_TOOLS)
  .filter(isBrowserTool)
  .filter((name) => BROWSER_TOOLS[name].remoteEffect !== undefined);

/** How long a remote browser may take for a tool once it was sent. */
export function remoteTimeoutMs(tool: string, input: ToolInput): number {
  return remoteFactsOf(tool)?.remoteTimeoutMs?.(input) ?? OTHER_MS;
}

/** What running a tool twice may do in a remote browser; one that is not known here may change the world again. */
export function remoteEffect(tool: string, input: ToolInput): EffectClass {
  return remoteFactsOf(tool)?.remoteEffect?.(input) ?? 'commit';
}

function remoteFactsOf(tool: string): RemoteFacts | undefined {
  return isBrowserTool(tool) ? BROWSER_TOOLS[tool] : undefined;
}
