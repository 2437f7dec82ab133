import { z } from 'zod';
import { AIProcessingConfigSchema } from './config';
import { GivenHistorySchema } from '../tasks/given-history';
import { MAX_IMAGES, TaskImageSchema } from '../tasks/task-image';
import { OnceSchema, type StepOnce } from './once';
import { ProcessingOptionsSchema, type ProcessingOptions } from './processing';
import { ResultRequestSchema } from '../results/result-request';
import { PageWaitSchema, type PageWait } from './page-wait';
import { CheckSchema, type SiteCheck } from './site-check';

export const MAX_STEP_LENGTH = 1000;

const InstructionSchema = z
  .string()
  .trim()
  .min(1, 'a step must say what to do, got an empty text')
  .max(MAX_STEP_LENGTH, `a step may have at most ${MAX_STEP_LENGTH} characters; split it into several steps`);

/** S1.57, and what it overrides for its step (S1.A23, S1.A39: `timeoutMs` stands for stepTimeoutMs). */
const StepWithOptionsSchema = ProcessingOptionsSchema.extend({
  instruction: InstructionSchema,
  maxIterations: z.int().min(1).max(100).optional(),
  maxRetries: z.int().min(0).max(100).optional(),
  aiConfig: AIProcessingConfigSchema.partial().optional(),
  once: OnceSchema.optional(),
  check: CheckSchema.optional(),
  wait: PageWaitSchema.optional(),
});

export const MAX_TASK_LENGTH = 100_000;

/** S0.1: a free task, run by the tool-use loop; `timeoutMs` stands for stepTimeoutMs. */
const TaskSchema = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1, 'a task must say what to do, got an empty text')
    .max(MAX_TASK_LENGTH, `a task may have at most ${MAX_TASK_LENGTH} characters`),
  images: z.array(TaskImageSchema).max(MAX_IMAGES, `a task takes at most ${MAX_IMAGES} images`).optional(),
  url: z
    .url({ protocol: /^https?$/, message: 'expected an http or https address' })
    .max(2048)
    .optional(),
  context: z.string().max(50_000).optional(),
  history: GivenHistorySchema.optional(),
  maxSteps: z.int().min(1).max(1000).optional(),
  timeoutMs: z.int().positive().optional(),
  aiConfig: AIProcessingConfigSchema.partial().optional(),
  result: ResultRequestSchema.optional(),
  once: OnceSchema.optional(),
  check: CheckSchema.optional(),
});

/** One call of a tool without any model: how an agent of the caller drives the browser by itself. */
const ToolCallStepSchema = z.strictObject({
  tool: z.string().min(1).max(200),
  args: z.record(z.string(), z.unknown()).default({}),
  timeoutMs: z.int().positive().optional(),
  once: OnceSchema.optional(),
  check: CheckSchema.optional(),
});
export type ToolCallStep = Pick<z.infer<typeof ToolCallStepSchema>, 'tool' | 'args'>;

/** Reads data of the page and those after it: `extract` says what, as in “all products with name, price and link”. */
const ExtractSchema = TaskSchema.pick({
  url: true,
  maxSteps: true,
  timeoutMs: true,
  aiConfig: true,
  result: true,
}).extend({ extract: InstructionSchema });

/** One step: plain English, the same with options of its own, a task, one call of a tool, or data to extract. */
export const StepInputSchema = z.union([
  InstructionSchema,
  StepWithOptionsSchema,
  TaskSchema,
  ToolCallStepSchema,
  ExtractSchema,
]);
export type StepInput = z.infer<typeof StepInputSchema>;

/** The options that a step may have of its own. */
export type OwnOptions = Omit<z.infer<typeof StepWithOptionsSchema>, 'instruction'>;

/** S1.57 with every option decided: those of the step before those of the session (S1.A23, S1.A39). */
export type StepOptions = { [K in keyof ProcessingOptions]-?: NonNullable<ProcessingOptions[K]> };

interface TaskGoal extends Pick<
  z.infer<typeof TaskSchema>,
  'url' | 'context' | 'history' | 'maxSteps' | 'images' | 'result'
> {
  /** In place of a model's calls. */
  call?: ToolCallStep | undefined;
  /** The engine reads the rows and follows the pages; the model only gets what is missing then. */
  isExtract?: true;
}

/** What a step is to do: an instruction for the ACT-REFLECT loop, or, with `task`, one for the tool-use loop. */
export interface StepGoal {
  instruction: string;
  task?: TaskGoal | undefined;
}

/** Where the store has the whole text of a step: in the plan, at its place, or in the order that has added it. */
export type StepReference = 'plan' | { messageId: string; index: number };

/** A step of a plan. */
export interface Step extends StepGoal {
  options: StepOptions;
  /** What its commits do is to happen once. */
  once?: StepOnce;
  /** Finds out on the site whether it has happened. */
  check?: SiteCheck;
  /** It looks at its page until what it says holds. */
  wait?: PageWait;
  /** It signs in as the profile of the session says, where that is needed. */
  signIn?: true;
  /** The text is only its beginning: the store has the whole here. */
  textIn?: StepReference;
}
