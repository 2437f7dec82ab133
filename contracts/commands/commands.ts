import { z } from 'zod';
import { StandardErrorSchema } from '../errors/standard-error';
import { CLICK_MANNER, SCROLL_MANNER, TOOL_EFFECT, TOOL_MEMBERS, TOOL_PARAMETERS, ToolAction } from './tool-actions';

/** The closed set of S1.16. */
export enum CommandAction {
  OPEN_PAGE = 'OPEN_PAGE',
  CLICK_ELEMENT = 'CLICK_ELEMENT',
  INPUT_TEXT = 'INPUT_TEXT',
  SAVE_VARIABLE = 'SAVE_VARIABLE',
  GET_DOM = 'GET_DOM',
}

/** The engine's further actions: an extension of S1.16 that readers of the plain contract see as text (`actions=s1`). */
export enum ExtendedAction {
  SELECT_OPTION = 'SELECT_OPTION',
  SET_CHECKED = 'SET_CHECKED',
  PRESS_KEY = 'PRESS_KEY',
  SCROLL = 'SCROLL',
  WAIT_FOR = 'WAIT_FOR',
  EXPECT = 'EXPECT',
  GO_BACK = 'GO_BACK',
  SWITCH_TAB = 'SWITCH_TAB',
  HANDLE_DIALOG = 'HANDLE_DIALOG',
}

/** What a reply of the ACT-REFLECT loop may ask for. */
export type StepAction = `${CommandAction | ExtendedAction}`;
export type BrowserAction = StepAction | `${ToolAction}`;
const STEP_ACTIONS: readonly StepAction[] = [...Object.values(CommandAction), ...Object.values(ExtendedAction)];
const ACTIONS: readonly BrowserAction[] = [...STEP_ACTIONS, ...Object.values(ToolAction)];
export const BrowserActionSchema = z.enum(ACTIONS);

/** S1.17: one flat bag; which member applies depends on the action (S1.R9). */
export const CommandParametersSchema = z.strictObject({
  url: z.string().optional(),
  selector: z.string().optional(),
  text: z.string().optional(),
  variableName: z.string().optional(),
});
export type CommandParameters = z.infer<typeof CommandParametersSchema>;

const selector = z
  .string()
  .min(1)
  .describe(
    'an element: `ref=e12` as shown in the page look, or any Playwright selector that matches exactly one element',
  );
export const VARIABLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Absolute http(s), or a page the engine can show without a network (S1.A7). A `${name}` is filled in before it is checked again. */
const url = z
  .string()
  .refine(
    (value) => value.includes('${') || value === 'about:blank' || isHttpUrl(value),
    'expected an absolute http or https URL, or about:blank',
  );

export function isHttpUrl(value: string): boolean {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
}

/** Parameters of each action, checked before a command runs; a missing or further member is SM002 (S1.A7). */
export const ParametersByAction = {
  OPEN_PAGE: z.strictObject({ url }),
  CLICK_ELEMENT: z.strictObject({ selector, ...CLICK_MANNER }),
  INPUT_TEXT: z.strictObject({ selector, text: z.string() }),
  SAVE_VARIABLE: z.strictObject({ selector, variableName: z.string().regex(VARIABLE_NAME) }),
  GET_DOM: z.strictObject({}),
  SELECT_OPTION: z.strictObject({ selector, option: z.string().min(1).describe('label or value of the option') }),
  SET_CHECKED: z.strictObject({ selector, checked: z.boolean() }),
  PRESS_KEY: z.strictObject({
    key: z.string().min(1).describe('e.g. Enter, Escape, Control+A'),
    selector: selector.optional(),
  }),
  SCROLL: z.strictObject({
    to: z.enum(['up', 'down', 'top', 'bottom', 'element', 'left', 'right']),
    selector: selector.optional(),
    ...SCROLL_MANNER,
  }),
  WAIT_FOR: z.strictObject({
    text: z.string().min(1).optional().describe('visible text, or the name, label or placeholder of a control'),
    hidden: z.boolean().optional().describe('wait until it is gone instead'),
    seconds: z
      .number()
      .min(0)
      .max(60)
      .optional()
      .describe('without text: wait that long; with text: at most that long'),
  }),
  EXPECT: z.strictObject({
    text: z.string().min(1).optional().describe('visible text of the page, or of the element when a selector is given'),
    selector: selector.optional(),
    url: z.string().min(1).optional().describe('part of the address'),
    title: z.string().min(1).optional().describe('part of the title'),
    absent: z.boolean().optional().describe('expect that it is not there'),
  }),
  GO_BACK: z.strictObject({}),
  SWITCH_TAB: z.strictObject({
    tab: z.string().min(1).describe('`last`, `first`, `next`, a number from 1, or part of a title or address'),
  }),
  HANDLE_DIALOG: z.strictObject({
    accept: z.boolean().describe('what to answer to the next dialog that opens'),
    promptText: z.string().optional(),
  }),
  ...TOOL_PARAMETERS,
} satisfies Record<BrowserAction, z.ZodType>;

/** The flat bag of S1.17 with the further members of what a reply may ask for. */
const StepParametersSchema = CommandParametersSchema.extend({
  option: z.string().optional(),
  checked: z.boolean().optional(),
  key: z.string().optional(),
  to: z.enum(['up', 'down', 'top', 'bottom', 'element']).optional(),
  hidden: z.boolean().optional(),
  seconds: z.number().optional(),
  title: z.string().optional(),
  absent: z.boolean().optional(),
  tab: z.string().optional(),
  accept: z.boolean().optional(),
  promptText: z.string().optional(),
});
export type StepParameters = z.infer<typeof StepParametersSchema>;

/** The same with those of tools. */
export const BrowserParametersSchema = StepParametersSchema.extend({
  ...TOOL_MEMBERS,
  to: z.enum(['up', 'down', 'top', 'bottom', 'element', 'left', 'right']).optional(),
});
export type BrowserParameters = z.infer<typeof BrowserParametersSchema>;

/** What repeating a command may do: nothing, the same again, or a second change of the world. */
export type EffectClass = 'pure' | 'idempotent' | 'commit';

export const EFFECT_CLASS: Record<BrowserAction, EffectClass> = {
  OPEN_PAGE: 'idempotent',
  CLICK_ELEMENT: 'commit',
  INPUT_TEXT: 'idempotent',
  SAVE_VARIABLE: 'pure',
  GET_DOM: 'pure',
  SELECT_OPTION: 'idempotent',
  SET_CHECKED: 'idempotent',
  PRESS_KEY: 'commit',
  SCROLL: 'pure',
  WAIT_FOR: 'pure',
  EXPECT: 'pure',
  GO_BACK: 'commit',
  SWITCH_TAB: 'idempotent',
  HANDLE_DIALOG: 'pure',
  ...TOOL_EFFECT,
};

/** S1.14: a command as the model gives it. It carries no session id (S1.R8); `priority` never reorders (S1.A9). */
export const AIGeneratedCommandSchema = z.strictObject({
  action: z.enum(STEP_ACTIONS),
  parameters: StepParametersSchema,
  reasoning: z.string().optional(),
  priority: z.number().optional(),
});
export type AIGeneratedCommand = z.infer<typeof AIGeneratedCommandSchema>;

/** S1.15: a command as the executor gets it. `selector` is durable here: never a ref of one look at the page. */
export const ExecutorCommandSchema = z.object({
  sessionId: z.string(),
  action: BrowserActionSchema,
  parameters: BrowserParametersSchema,
  commandId: z.string(),
  timestamp: z.coerce.date(),
});
export type ExecutorCommand = z.infer<typeof ExecutorCommandSchema>;

/** S1.18: the answer of one command. `dom` and `screenshotId` are empty strings where there is none (S1.A8). */
export const CommandResponseSchema = z.object({
  success: z.boolean(),
  commandId: z.string(),
  dom: z.string(),
  screenshotId: z.string(),
  duration: z.number(),
  error: StandardErrorSchema.optional(),
  metadata: z.record(z.string(), z.any()).optional(),
});
export type CommandResponse = z.infer<typeof CommandResponseSchema>;

/** S1.32. */
export enum CommandStatus {
  QUEUED = 'QUEUED',
  EXECUTING = 'EXECUTING',
  COMPLETED = 'COMPLETED',
  FAILED = 'FAILED',
  CANCELLED = 'CANCELLED',
}

/** True for the five actions of S1.16. */
export function isContractAction(action: BrowserAction): action is CommandAction {
  return action in CommandAction;
}
