import { z } from 'zod';
import { VARIABLE_NAME } from '../commands/definitions/reading';
import { AIProcessingConfigSchema, StartConfigSchema, type SessionConfig } from './config';
import { imageProblem, modelProblem } from '../models/model-name';
import { MAX_IMAGES, TaskImageSchema } from '../tasks/task-image';
import { ProcessingOptionsSchema, type ProcessingOptions } from './processing';
import { withGivenOrigins } from './given-origins';
import { replayIssues } from '../recipes/replay-issues';
import { resolveConfig } from './resolve-config';
import { aliasIssues, ENV_NAME, SecretInputSchema, secretPlans, type SecretPlan } from './secrets';
import { issuesOf, type Issue } from '../errors/issues';
import { MAX_STEP_LENGTH, modelOfStep, toSteps } from './to-steps';
import { resultIssues } from '../results/result-issues';
import { ResultRequestSchema } from '../results/result-request';

export const MAX_STEPS = 100;

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
  maxSteps: z.int().min(1).max(1000).optional(),
  timeoutMs: z.int().positive().optional(),
  aiConfig: AIProcessingConfigSchema.partial().optional(),
  result: ResultRequestSchema.optional(),
});

/** One call of a tool without any model: how an agent of the caller drives the browser by itself. */
const ToolCallStepSchema = z.strictObject({
  tool: z.string().min(1).max(200),
  args: z.record(z.string(), z.unknown()).default({}),
  timeoutMs: z.int().positive().optional(),
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

interface TaskGoal extends Pick<z.infer<typeof TaskSchema>, 'url' | 'context' | 'maxSteps' | 'images' | 'result'> {
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
export type StepReference = 'plan' | { orderId: string; index: number };

/** A step of a plan. */
export interface Step extends StepGoal {
  options: StepOptions;
  /** The text is only its beginning: the store has the whole here. */
  textIn?: StepReference;
}

export const StepsSchema = z
  .array(StepInputSchema, 'expected a list of steps, such as ["open https://example.com", {"task": "…"}]')
  .min(1, 'a session needs at least one step')
  .max(MAX_STEPS, `a session takes at most ${MAX_STEPS} steps`);

/** A value, or the name of an environment variable of the workers: that value never enters a request, a history or a log. */
export const VariableInputSchema = z.union([
  z.string(),
  z.strictObject({ env: z.string().regex(ENV_NAME, 'expected the name of an environment variable') }),
]);
export type VariableInput = z.infer<typeof VariableInputSchema>;

const NameSchema = z
  .string()
  .regex(VARIABLE_NAME, 'a variable name has letters, digits and _, and starts with no digit');

/** What a caller who writes `{"task": …}` is to write. */
function taskIsNoField(issue: { code: string; keys?: unknown }): string | undefined {
  const isTask = issue.code === 'unrecognized_keys' && (issue.keys as string[]).some((key) => key === 'task');
  return isTask ? 'a task is a step: {"steps": [{"task": "…"}]}' : undefined;
}

/** Body of `POST /v1/sessions`, input of the workflow type `session`, and what the CLI sends: one schema for every door. */
export const StartRequestSchema = z.strictObject(
  {
    steps: StepsSchema,
    config: StartConfigSchema.optional(),
    /** S1.22.3; goes before `config.metadata`. */
    metadata: z.record(z.string(), z.any()).optional(),
    variables: z.record(NameSchema, VariableInputSchema).optional(),
    secrets: z.record(NameSchema, SecretInputSchema).optional(),
    /** What its last task or extract step returns; a session without one reads it from its last page. */
    result: ResultRequestSchema.optional(),
    priority: z.int().min(1).max(5).optional(),
    tenant: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 letters, digits, dots, dashes and underscores')
      .optional(),
  },
  { error: (issue) => taskIsNoField(issue) },
);
export type StartRequest = z.infer<typeof StartRequestSchema>;

/** As Temporal has it: 1 goes first, 5 last. */
export const DEFAULT_PRIORITY = 3;
/** Whose session it is: tenants take turns where the server has fairness, and have idempotency keys and recipes of their own. */
export const DEFAULT_TENANT = 'default';

export const AddStepsRequestSchema = z.strictObject({ steps: StepsSchema });
export type AddStepsRequest = z.infer<typeof AddStepsRequestSchema>;

/** A valid request. Everything behind the edge trusts it. */
export interface SessionPlan {
  steps: Step[];
  config: SessionConfig;
  variables: Record<string, VariableInput>;
  /** By alias, without the values. */
  secrets?: Record<string, SecretPlan>;
  warnings: string[];
  metadata: Record<string, unknown>;
  /** Whose session it is; DEFAULT_TENANT where it is left out. */
  tenant?: string;
}

/** What the workflow is started with once a request was validated; neither is stored with the plan. */
export interface PlannedStart extends Pick<StartRequest, 'priority' | 'tenant'> {
  plan: SessionPlan;
  /** The session has a row with the whole plan: long variables and metadata are left out here, and long steps are references. */
  isStored?: boolean;
}

export interface ValidStart {
  kind: 'valid';
  request: StartRequest;
  plan: SessionPlan;
}

export type ParsedStart = ValidStart | { kind: 'invalid'; issues: Issue[] };

/** Addresses that the calls of a request name, as its other steps do in their texts. */
function addressesOf(steps: readonly StepInput[]): string[] {
  return steps.flatMap((step) => {
    const url = typeof step === 'object' && 'tool' in step ? step.args['url'] : undefined;
    return typeof url === 'string' ? [url] : [];
  });
}

/** Validates steps that are added to a session with this config. */
export function parseSteps(
  inputs: unknown,
  config: SessionConfig,
): { kind: 'valid'; steps: Step[]; inputs: StepInput[] } | { kind: 'invalid'; issues: Issue[] } {
  const parsed = AddStepsRequestSchema.safeParse({ steps: inputs });
  if (!parsed.success) return { kind: 'invalid', issues: issuesOf(parsed.error) };
  const issues = [
    ...stepIssues(parsed.data.steps, config),
    ...replayIssues(parsed.data.steps, config),
    ...resultIssues(parsed.data.steps, config),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues };
  return { kind: 'valid', steps: toSteps(parsed.data.steps, config), inputs: parsed.data.steps };
}

/** Checks a request whole: shape first, then what only shows across fields. */
export function parseStart(input: unknown): ParsedStart {
  const parsed = StartRequestSchema.safeParse(input);
  return parsed.success ? planRequest(parsed.data) : { kind: 'invalid', issues: issuesOf(parsed.error) };
}

/** Plans a request of the right shape, or says what only shows across its fields. */
export function planRequest(request: StartRequest): ParsedStart {
  const resolved = resolveConfig(request.config);
  if (resolved.kind === 'invalid') return resolved;
  const issues = [
    ...stepIssues(request.steps, resolved.config),
    ...replayIssues(request.steps, resolved.config),
    ...resultIssues(request.steps, resolved.config, request.result),
    ...aliasIssues(request),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues };
  return {
    kind: 'valid',
    request,
    plan: {
      steps: toSteps(request.steps, resolved.config, request.result),
      config: withGivenOrigins(resolved.config, [...request.steps, ...addressesOf(request.steps)], request.variables),
      variables: request.variables ?? {},
      ...(request.secrets === undefined ? {} : { secrets: secretPlans(request) }),
      warnings: resolved.warnings,
      metadata: { ...request.config?.metadata, ...request.metadata },
      ...(request.tenant === undefined ? {} : { tenant: request.tenant }),
    },
  };
}

export function toPlannedStart({ request, plan }: ValidStart): PlannedStart {
  const { priority, tenant } = request;
  return { plan, ...(priority === undefined ? {} : { priority }), ...(tenant === undefined ? {} : { tenant }) };
}

/** A step's own limits must stay inside the session's (S1.R14) and above those of one call and command (S1.R15). */
function stepIssues(steps: readonly StepInput[], config: SessionConfig): Issue[] {
  const { workflowTimeoutMs, stepTimeoutMs, requestTimeoutMs } = config.timeouts;
  return steps.flatMap((step, index) => {
    if (typeof step === 'string') return [];
    const { timeoutMs } = step;
    const aiConfig = 'tool' in step ? undefined : step.aiConfig;
    const problem = aiConfig?.model === undefined ? undefined : modelProblem(aiConfig.model);
    if (problem !== undefined) return [{ path: `steps[${index}].aiConfig.model`, message: problem }];
    const blind =
      'task' in step && (step.images ?? []).length > 0 ? imageProblem(modelOfStep(aiConfig ?? {}, config)) : undefined;
    if (blind !== undefined) return [{ path: `steps[${index}].images`, message: blind }];
    const stepLimit = timeoutMs ?? stepTimeoutMs;
    const path = `steps[${index}].timeoutMs`;
    if (stepLimit > workflowTimeoutMs)
      return [{ path, message: `S1.R14: ${stepLimit} is more than workflowTimeoutMs (${workflowTimeoutMs})` }];
    const ofCalls = aiConfig?.timeoutMs;
    if (ofCalls !== undefined && ofCalls > stepLimit) {
      const message = `S1.R15: ${ofCalls} is more than the step's ${stepLimit}`;
      return [{ path: `steps[${index}].aiConfig.timeoutMs`, message }];
    }
    const below = [
      ['requestTimeoutMs', requestTimeoutMs],
      ['executorConfig.timeoutMs', config.executor.timeoutMs],
      ['aiConfig.timeoutMs', ofCalls ?? config.ai.timeoutMs],
    ] as const;
    return below
      .filter(([, limit]) => stepLimit < limit)
      .slice(0, 1)
      .map(([name, limit]) => ({ path, message: `S1.R15: ${stepLimit} is less than ${name} (${limit})` }));
  });
}
