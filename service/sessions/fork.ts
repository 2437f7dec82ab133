import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { ForkRequestSchema, type ForkRequest } from '../../contracts/sessions/fork-request';
import { issuesOf, type Issue } from '../../contracts/errors/issues';
import { withGivenOrigins } from '../../contracts/sessions/given-origins';
import { givenRequestOf } from '../../contracts/sessions/given-request';
import { SECRET_MARK } from '../../contracts/sessions/resources';
import { aliasIssues, secretPlans } from '../../contracts/sessions/secrets';
import {
  parseStart,
  type AfterReset,
  type SessionPlan,
  type StartRequest,
  type VariableInput,
} from '../../contracts/sessions/start-request';
import type { VariableRow } from '../../store/sessions/variables';
import { fromStore } from '../connection/store-errors';
import type { IdempotencyOptions } from '../port/receipt';
import { ClientError, type StartedSession } from '../port/port';
import { invalid } from '../connection/invalid';
import { requireSessionRow } from '../rows/session-row';
import { startSession, type StartParts } from './start';

/**
 * Starts a session that begins with a step of another one, on the state that its browser had before that step. What the
 * steps before have done is not done again.
 */
export async function forkSession(
  parts: StartParts,
  id: string,
  given: unknown,
  { idempotencyKey }: IdempotencyOptions = {},
): Promise<StartedSession> {
  const parsed = ForkRequestSchema.safeParse(given);
  if (!parsed.success) throw invalid('The session can not be forked', issuesOf(parsed.error));
  const { fromStep, steps, ...request } = parsed.data;
  const { sessionId, plan: whole } = await fromStore(() => requireSessionRow(parts.store, id));
  const issues = [...stepIssues(whole, fromStep), ...loginIssues(whole, request.secrets)];
  if (issues.length > 0) throw invalid('The session can not be forked', issues);
  const plan = steps === undefined ? whole : withSteps(whole, fromStep, steps);
  return await startFork(parts, { ...request, sessionId, plan, fromStep }, idempotencyKey);
}

/** What another session is to go on from. */
interface Fork extends Pick<ForkRequest, 'variables' | 'secrets' | 'priority' | 'tenant'> {
  sessionId: string;
  /** With all steps, also those before. */
  plan: SessionPlan;
  fromStep: number;
  afterReset?: AfterReset;
}

/** Starts a session with the steps of the plan from one on, on the state before the first of them that is to be done. */
export async function startFork(
  parts: StartParts,
  { sessionId, plan, fromStep, variables = {}, secrets = {}, priority, tenant = plan.tenant, afterReset }: Fork,
  idempotencyKey: string | undefined,
): Promise<StartedSession> {
  const { store } = parts;
  const first = fromStep - 1;
  const firstToDo = first + (afterReset?.doneSteps ?? 0);
  const issues = [
    ...parallelIssues(plan),
    ...secretIssues(plan, firstToDo, secrets),
    ...aliasIssues({ variables, secrets }),
  ];
  if (issues.length > 0) throw invalid('The session can not be forked', issues);
  const needsPage = firstToDo > 0 && firstToDo < plan.steps.length;
  const [point, saved] = await fromStore(() =>
    Promise.all([
      needsPage ? store.stepCheckpoints.find(sessionId, firstToDo) : null,
      store.variables.ofSession(sessionId),
    ]),
  );
  if (needsPage && point === null)
    throw new ClientError(
      'wrong-state',
      'CM004',
      `No checkpoint is kept of session ${sessionId} before step ${firstToDo + 1}: it has run nothing from there on, or the checkpoint was removed after its time. Fork it from an earlier step, or start a new session.`,
    );
  const request: StartRequest = {
    steps: givenRequestOf(plan).steps.slice(first),
    variables: { ...plan.variables, ...savedBefore(saved, firstToDo), ...variables },
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(priority === undefined ? {} : { priority }),
  };
  const { secrets: _named, afterReset: _earlier, beginsAt: _page, ...kept } = plan;
  const beginsAt = plan.profile?.signIn && (point?.snapshot as PageSnapshot | undefined)?.url;
  const forked: SessionPlan = {
    ...kept,
    steps: plan.steps.slice(first),
    config: withGivenOrigins(plan.config, request.steps, request.variables),
    variables: request.variables ?? {},
    ...(request.secrets === undefined ? {} : { secrets: secretPlans(request) }),
    metadata: { ...plan.metadata, forkedFrom: { sessionId, step: fromStep } },
    ...(tenant === undefined ? {} : { tenant }),
    ...(afterReset === undefined ? {} : { afterReset }),
    ...(beginsAt === undefined ? {} : { beginsAt }),
  };
  const join = async (forkId: string): Promise<void> => {
    await parts.join?.(forkId);
    if (point !== null) await fromStore(() => store.stepCheckpoints.seed(forkId, point));
  };
  return await startSession({ ...parts, join }, { kind: 'valid', request, plan: forked }, idempotencyKey);
}

/** The plan with other steps from one on, planned as those of a start are. */
function withSteps(plan: SessionPlan, fromStep: number, steps: StartRequest['steps']): SessionPlan {
  const { config } = givenRequestOf(plan);
  const planned = parseStart({ steps, config, variables: plan.variables });
  if (planned.kind === 'invalid') throw invalid('The session can not be forked', planned.issues);
  return { ...plan, steps: [...plan.steps.slice(0, fromStep - 1), ...planned.plan.steps] };
}

function stepIssues({ steps }: SessionPlan, fromStep: number): Issue[] {
  if (fromStep <= steps.length) return [];
  const count = steps.length === 1 ? 'one step' : `${steps.length} steps`;
  return [{ path: 'fromStep', message: `the session has ${count}, got ${fromStep}` }];
}

/** Parallel steps have browsers of their own, and may all be done but the first. */
function parallelIssues({ config }: SessionPlan): Issue[] {
  const message = 'its steps are sessions of their own: fork one of these';
  return config.parallelExecution === true ? [{ path: 'config.parallelExecution', message }] : [];
}

/** Secrets end with their session, and are its alone. */
function secretIssues(plan: SessionPlan, first: number, given: StartRequest['secrets']): Issue[] {
  const texts = plan.steps.slice(first).map(({ instruction, task }) => [instruction, task]);
  return missingSecrets(plan, texts, given, 'a step uses it');
}

/** Nobody knows how long the sign-in that the fork begins with holds. */
function loginIssues(plan: SessionPlan, given: StartRequest['secrets']): Issue[] {
  const texts = plan.profile?.signIn?.login.map(({ instruction }) => instruction) ?? [];
  return missingSecrets(plan, texts, given, 'a login step of its profile uses it');
}

function missingSecrets(plan: SessionPlan, texts: unknown[], given: StartRequest['secrets'], why: string): Issue[] {
  const text = JSON.stringify(texts);
  return Object.keys(plan.secrets ?? {})
    .filter((alias) => text.includes(`\${${alias}}`) && given?.[alias] === undefined)
    .map((alias) => ({
      path: `secrets.${alias}`,
      message: `${why}, and a fork never copies secrets; give it again`,
    }));
}

/** What the steps before have read of pages. */
function savedBefore(saved: readonly VariableRow[], first: number): Record<string, VariableInput> {
  const known = saved.filter(
    ({ source, stepIndex, value }) =>
      source !== 'user_input' && (stepIndex ?? 0) < first && value !== null && !value.includes(SECRET_MARK),
  );
  return Object.fromEntries(known.map(({ name, value }) => [name, value!]));
}
