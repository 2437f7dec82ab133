import { z } from 'zod';
import { StandardErrorSchema } from '../errors/standard-error';
import { dialogCommands } from './definitions/dialogs';
import { environmentCommands } from './definitions/environment';
import { fieldCommands } from './definitions/fields';
import { fileCommands } from './definitions/files';
import { keyCommands } from './definitions/keys';
import { mouseCommands } from './definitions/mouse';
import { pageCommands } from './definitions/pages';
import { readingCommands } from './definitions/reading';
import { screenshotCommands } from './definitions/screenshots';
import { scriptCommands } from './definitions/scripts';
import { snapshotCommands } from './definitions/snapshots';
import { tabCommands } from './definitions/tabs';
import { waitingCommands } from './definitions/waiting';
import type { EffectClass } from './define-command';
import { toParameterBag } from './parameter-bag';

/** The closed set of S1.16. */
export enum CommandAction {
  OPEN_PAGE = 'OPEN_PAGE',
  CLICK_ELEMENT = 'CLICK_ELEMENT',
  INPUT_TEXT = 'INPUT_TEXT',
  SAVE_VARIABLE = 'SAVE_VARIABLE',
  GET_DOM = 'GET_DOM',
}

/** All commands, by their wire names. Models are shown them in this order, which stays (prompt caches). */
export const COMMANDS = {
  ...fieldCommands,
  ...keyCommands,
  ...mouseCommands,
  ...waitingCommands,
  ...pageCommands,
  ...tabCommands,
  ...dialogCommands,
  ...snapshotCommands,
  ...readingCommands,
  ...screenshotCommands,
  ...scriptCommands,
  ...fileCommands,
  ...environmentCommands,
} satisfies Record<CommandAction, { prompt: string }>;

type Commands = typeof COMMANDS;
export type BrowserAction = keyof Commands;

/** What a reply of the ACT-REFLECT loop may ask for; the engine's own beside S1.16 are text to readers of the plain contract (`actions=s1`). */
export type StepAction = { [A in BrowserAction]: Commands[A]['prompt'] extends string ? A : never }[BrowserAction];

const entries = Object.entries(COMMANDS) as [BrowserAction, Commands[BrowserAction]][];
const furtherActions = entries.map(([action]) => action).filter((action) => !isContractAction(action));
const isStepAction = (action: BrowserAction): action is StepAction => COMMANDS[action].prompt !== undefined;

export const STEP_ACTIONS: readonly StepAction[] = [
  ...Object.values(CommandAction),
  ...furtherActions.filter(isStepAction),
];
export const BrowserActionSchema = z.enum([
  ...STEP_ACTIONS,
  ...furtherActions.filter((action) => !isStepAction(action)),
] as readonly BrowserAction[]);

/** True for the five actions of S1.16. */
export function isContractAction(action: BrowserAction): action is CommandAction {
  return action in CommandAction;
}

/** One member of every definition, by the wire name of its command. */
function each<K extends keyof Commands[BrowserAction]>(member: K): { [A in BrowserAction]: Commands[A][K] } {
  return Object.fromEntries(entries.map(([action, command]) => [action, command[member]])) as never;
}

export const ParametersByAction = each('parameters');
export const EFFECT_CLASS: Record<BrowserAction, EffectClass> = each('effect');

/** S1.17: one flat bag; which member applies depends on the action (S1.R9). What a saved text is cut to is ours. */
export const CommandParametersSchema = toParameterBag(
  Object.values(CommandAction).map((action) => COMMANDS[action].stepParameters),
).omit({ label: true, as: true });
export type CommandParameters = z.infer<typeof CommandParametersSchema>;

/** The same for all that a reply may ask for. */
const StepParametersSchema = toParameterBag(STEP_ACTIONS.map((action) => COMMANDS[action].stepParameters));
export type StepParameters = z.infer<typeof StepParametersSchema>;

/** The same for all commands. */
export const BrowserParametersSchema = toParameterBag(
  BrowserActionSchema.options.map((action) => COMMANDS[action].parameters),
);
export type BrowserParameters = z.infer<typeof BrowserParametersSchema>;

/** The parameters of one command, once they were checked. */
export type ParametersOf<A extends BrowserAction> = z.output<Commands[A]['parameters']>;

/** S1.14: a command as the model gives it. It carries no session id (S1.R8); `priority` never reorders (S1.A9). */
export const AIGeneratedCommandSchema = z.strictObject({
  action: z.enum(STEP_ACTIONS),
  parameters: StepParametersSchema,
  reasoning: z.string().optional(),
  priority: z.number().optional(),
});
export type AIGeneratedCommand = z.infer<typeof AIGeneratedCommandSchema>;

/** S1.15: a command as the executor gets it. `selector` is durable here: never a ref of one page snapshot. */
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
