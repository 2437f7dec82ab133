import { z } from 'zod';
import { VARIABLE_NAME } from '../commands/definitions/reading';
import { StartConfigSchema, type SessionConfig } from './config';
import { imageProblem, modelProblem } from '../models/model-name';
import { NotBeforeSchema } from './not-before';
import { onceIssues } from './once';
import { parallelIssues } from './parallel-issues';
import { ProfileInputSchema, profileIssues, profileTexts, sessionProfile, type SessionProfile } from './profile';
import { withGivenOrigins } from './given-origins';
import { replayIssues } from './replay-issues';
import { launchedTaskIssues } from './launched-browser';
import { resolveConfig } from './resolve-config';
import { ENV_NAME } from './secret-place';
import { aliasIssues, SecretInputSchema, secretPlans, type SecretPlan } from './secrets';
import { issuesOf, type Issue } from '../errors/issues';
import { pageWaitIssues } from './step-waits';
import { stepCheckIssues } from './step-check-issues';
import { signInPlan, signInStep } from './sign-in-plan';
import { modelOfStep, toSteps } from './to-steps';
import { StepInputSchema, type Step, type StepGoal, type StepInput } from './step-input';
import { isImage } from '../tasks/given-history';
import { resultIssues } from '../results/result-issues';
import { ResultRequestSchema } from '../results/result-request';

export const MAX_STEPS = 10_000;
const MAX_NAME_LENGTH = 120;

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
    /** What people call it, in lists and in Temporal's UI. */
    name: z
      .string()
      .trim()
      .min(1, 'expected a name, or none at all')
      .max(MAX_NAME_LENGTH, `a name has at most ${MAX_NAME_LENGTH} characters`)
      .optional(),
    steps: StepsSchema,
    config: StartConfigSchema.optional(),
    /** S1.22.3; goes before `config.metadata`. */
    metadata: z.record(z.string(), z.any()).optional(),
    variables: z.record(NameSchema, VariableInputSchema).optional(),
    secrets: z.record(NameSchema, SecretInputSchema).optional(),
    /** The signed-in state that it begins with, and writes back when it completes. */
    profile: ProfileInputSchema.optional(),
    /** What its last task or extract step returns; a session without one reads it from its last page. */
    result: ResultRequestSchema.optional(),
    /** It waits for this time, without a browser. */
    notBefore: NotBeforeSchema.optional(),
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
  /** What people call it. */
  name?: string;
  steps: Step[];
  config: SessionConfig;
  variables: Record<string, VariableInput>;
  /** By alias, without the values. */
  secrets?: Record<string, SecretPlan>;
  profile?: SessionProfile;
  notBefore?: string;
  warnings: string[];
  metadata: Record<string, unknown>;
  /** Whose session it is; DEFAULT_TENANT where it is left out. */
  tenant?: string;
  afterReset?: AfterReset;
  /** The page that a fork begins on: it is opened again where the session has to sign in before its first step. */
  beginsAt?: string;
}

/** What a session goes on from whose workflow was reset in Temporal after its end. */
export interface AfterReset {
  sessionId: string;
  /** It had done so many of the first steps: they are not done again. */
  doneSteps: number;
  /** What it had done of the next step and nothing takes back: a person decides whether that step is begun anew. */
  doneCommands?: string;
}

/** What the workflow is started with once a request was validated; neither is stored with the plan. */
export interface PlannedStart extends Pick<StartRequest, 'priority' | 'tenant'> {
  plan: SessionPlan;
  /** The session has a row with the whole plan: long variables and metadata are left out here, and long steps are references. */
  isStored?: boolean;
  /** So many steps of the stored plan, behind those that are here, are read when their turn comes. */
  furtherSteps?: number;
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
    ...launchedTaskIssues(parsed.data.steps, config),
    ...replayIssues(parsed.data.steps, config),
    ...resultIssues(parsed.data.steps, config),
    ...stepCheckIssues(parsed.data.steps, config),
    ...pageWaitIssues(parsed.data.steps, config),
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
    ...launchedTaskIssues(request.steps, resolved.config),
    ...replayIssues(request.steps, resolved.config),
    ...resultIssues(request.steps, resolved.config, request.result),
    ...aliasIssues(request),
    ...onceIssues(keysOf(request), request),
    ...stepCheckIssues(request.steps, resolved.config, request),
    ...pageWaitIssues(request.steps, resolved.config, request),
    ...parallelIssues(request),
    ...profileIssues(request.profile, resolved.config.agent.executor, resolved.config.executor.browserType),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues };
  const texts = [...request.steps, ...addressesOf(request.steps), ...profileTexts(request.profile)];
  const { profile: named } = request;
  const profile = named === undefined ? undefined : sessionProfile(named, signInPlan(named, resolved.config));
  return {
    kind: 'valid',
    request,
    plan: {
      ...(request.name === undefined ? {} : { name: request.name }),
      steps: [
        ...(profile?.signIn === undefined ? [] : [signInStep(profile.name, resolved.config)]),
        ...toSteps(request.steps, resolved.config, request.result),
      ],
      config: withGivenOrigins(resolved.config, texts, request.variables),
      variables: request.variables ?? {},
      ...(request.secrets === undefined ? {} : { secrets: secretPlans(request) }),
      ...(profile === undefined ? {} : { profile }),
      ...(request.notBefore === undefined ? {} : { notBefore: request.notBefore }),
      warnings: [...resolved.warnings, ...loweredLimits(request.steps, resolved.config)],
      metadata: { ...request.config?.metadata, ...request.metadata },
      ...(request.tenant === undefined ? {} : { tenant: request.tenant }),
    },
  };
}

/** The keys of what is to happen once, and where the request has them. */
export function keysOf({ steps, config }: StartRequest) {
  const ofSteps = steps.map((step, index) => ({
    path: `steps[${index}].once.key`,
    once: typeof step === 'object' && 'once' in step ? step.once : undefined,
  }));
  return [{ path: 'config.once.key', once: config?.once }, ...ofSteps];
}

/** A step's own limit must stay inside the session's (S1.R14) and above that of its calls (S1.R15). */
function stepIssues(steps: readonly StepInput[], config: SessionConfig): Issue[] {
  const { workflowTimeoutMs, stepTimeoutMs } = config.timeouts;
  return steps.flatMap((step, index) => {
    if (typeof step === 'string') return [];
    const { timeoutMs } = step;
    const aiConfig = 'tool' in step ? undefined : step.aiConfig;
    const problem = aiConfig?.model === undefined ? undefined : modelProblem(aiConfig.model);
    if (problem !== undefined) return [{ path: `steps[${index}].aiConfig.model`, message: problem }];
    const shown = 'task' in step ? imagesIn(step) : undefined;
    const blind = shown === undefined ? undefined : imageProblem(modelOfStep(aiConfig ?? {}, config));
    if (blind !== undefined) return [{ path: `steps[${index}].${shown}`, message: blind }];
    const stepLimit = timeoutMs ?? stepTimeoutMs;
    const path = `steps[${index}].timeoutMs`;
    if (stepLimit > workflowTimeoutMs)
      return [{ path, message: `${stepLimit} is more than workflowTimeoutMs (${workflowTimeoutMs})` }];
    const ofCalls = aiConfig?.timeoutMs;
    if (ofCalls !== undefined && ofCalls > stepLimit) {
      const message = `${ofCalls} is more than the step's ${stepLimit}`;
      return [{ path: `steps[${index}].aiConfig.timeoutMs`, message }];
    }
    return [];
  });
}

/** The member of a task that has images. */
function imagesIn({
  images = [],
  history = [],
}: Pick<NonNullable<StepGoal['task']>, 'images' | 'history'>): string | undefined {
  if (images.length > 0) return 'images';
  return history.some(isImage) ? 'history' : undefined;
}

/** A step that lasts less than a call or a command of the session may has them end with it (S1.R15). */
export function loweredLimits(steps: readonly StepInput[], { ai, executor }: SessionConfig, firstIndex = 0): string[] {
  return steps.flatMap((step, index) => {
    const limit = typeof step === 'string' ? undefined : step.timeoutMs;
    if (typeof step === 'string' || limit === undefined) return [];
    const ofCalls = 'tool' in step ? undefined : step.aiConfig?.timeoutMs;
    const longer = [
      ['executorConfig.timeoutMs', executor.timeoutMs],
      ['aiConfig.timeoutMs', ofCalls ?? ai.timeoutMs],
    ] as const;
    const names = longer.filter(([, of]) => of > limit).map(([name, of]) => `${name} (${of})`);
    if (names.length === 0) return [];
    const place = `steps[${firstIndex + index}].timeoutMs`;
    return [`${place} is ${limit}, so ${names.join(' and ')} ${names.length === 1 ? 'ends' : 'end'} with the step.`];
  });
}
