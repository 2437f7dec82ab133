import { setTimeout as sleep } from 'node:timers/promises';
import { isOpen, SessionStatus } from '../../contracts/sessions/session';
import type { ApiClient } from '../../client/http/api-client';
import { ApiError } from '../../client/http/api-error';
import type { EvalCase, EvalFile } from './eval-file';
import type { EvalRun, EvalFailure, RunUsage } from './eval-result';
import { matches } from './pattern';
import { stateProblem } from './server-state';
import { pageSteps, planRun, type ModelUnderTest } from './start-request';

type Details = Awaited<ReturnType<ApiClient['showSession']>>;
type Ended = { details: Details; failure?: EvalFailure };

const POLL_MS = 300;
/** Beyond its active time a session may wait for a browser, for rate limits, and through an outage of the API. */
const WAITS_MS = 120_000;
/** What workers say of a model that no call reaches: a setting or credentials are missing, or the vendor doesn't know it. */
const OUT_OF_REACH = new Set<unknown>(['settings', 'credentials', 'unknown-model']);
const NOTHING: RunUsage = { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: '0', unpricedCalls: 0 };

/** Runs the session of a case to its end and checks it. The signal ends it before its time. */
export async function attempt(
  api: ApiClient,
  file: EvalFile,
  own: EvalCase,
  ai: ModelUnderTest,
  signal: AbortSignal,
): Promise<Pick<EvalRun, 'sessionId' | 'usage' | 'durationMs' | 'failure'>> {
  const { request, stepsBefore } = planRun(file, own, ai);
  let sessionId: string;
  try {
    ({ sessionId } = await api.startSession(request));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { usage: NOTHING, durationMs: 0, failure: { kind: 'refused', message: error.message } };
  }
  const limitMs = (own.budget?.seconds ?? file.budget.seconds) * 1000 + WAITS_MS;
  const until = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    const total = request.steps.length;
    const ended = await stepsEnd(api, sessionId, { from: 0, count: total, until });
    const { usage, stepResults } = ended.details;
    const durationMs = stepResults.slice(stepsBefore).reduce((sum, { duration }) => sum + duration, 0);
    const failure = await judge(api, own, ended, { stepsBefore, total, until });
    return { sessionId, usage, durationMs, ...(failure === undefined ? {} : { failure }) };
  } finally {
    // It is open still, after a failure with steps to do as well.
    await api.cancelSession(sessionId).catch(() => undefined);
  }
}

interface Wait {
  /** The steps before it are done. */
  from: number;
  count: number;
  until: AbortSignal;
}

/** Waits until so many steps have ended, one has failed, or only a person or an error can end them. */
async function stepsEnd(api: ApiClient, sessionId: string, { from, count, until }: Wait): Promise<Ended> {
  let details: Details | undefined;
  while (!until.aborted) {
    details = await showSession(api, sessionId, details);
    if (details !== undefined) {
      const { session, stepResults, waitingFor, approvals, error } = details;
      const failed = stepResults.slice(from).find(({ success }) => !success);
      if (failed !== undefined || (!isOpen(session.status) && session.status !== SessionStatus.COMPLETED))
        return { details, failure: failureOf(failed?.error ?? error) };
      if (stepResults.length >= count || !isOpen(session.status)) return { details };
      const [approval] = approvals.filter((each) => each.kind === 'approval');
      if (approval !== undefined) return { details, failure: waitingForApproval(approval) };
      if (waitingFor !== null && waitingFor.pausedFor !== 'message')
        return { details, failure: { kind: 'waiting', message: waitingFor.message } };
    }
    await sleep(POLL_MS, undefined, { signal: until }).catch(() => undefined);
  }
  details ??= await api.showSession(sessionId);
  return { details, failure: { kind: 'time', message: 'The session did not end within its time.' } };
}

/** Returns what was known before where the API is out for now. */
async function showSession(api: ApiClient, id: string, before: Details | undefined): Promise<Details | undefined> {
  try {
    return await api.showSession(id);
  } catch (error) {
    if (error instanceof ApiError && !error.retryable && error.status < 500) throw error;
    return before;
  }
}

function waitingForApproval({ toolName, sessionId }: { toolName: string; sessionId: string }): EvalFailure {
  const message = `${toolName} waits for approval (\`surefoot approvals --session ${sessionId}\` shows it).`;
  return { kind: 'waiting', message: `${message} \`config: {agent: {approvalMode: yolo}}\` asks for none.` };
}

function failureOf(
  error: Pick<NonNullable<Details['error']>, 'code' | 'message' | 'details'> | null | undefined,
): EvalFailure {
  if (error == null) return { kind: 'failed', message: 'The session ended without a reason.' };
  if (OUT_OF_REACH.has(error.details?.['kind'])) return { kind: 'model', message: error.message };
  const isBudget = error.code === 'TL004' && error.details?.['isPartial'] === true;
  return { kind: isBudget ? 'budget' : 'failed', message: `${error.code}: ${error.message}` };
}

interface Place {
  stepsBefore: number;
  total: number;
  until: AbortSignal;
}

/** Compares the end with what the case expects; the first thing that is not so is the failure. */
async function judge(api: ApiClient, own: EvalCase, ended: Ended, place: Place): Promise<EvalFailure | undefined> {
  const { details, failure } = ended;
  const { expect } = own;
  const { sessionId } = details.session;
  if (failure !== undefined) {
    if (failure.kind === 'failed' && details.stepResults.filter(({ success }) => success).length < place.stepsBefore)
      return { kind: 'start', message: failure.message };
    if (failure.kind !== 'failed' || expect.outcome !== 'fails') return failure;
  } else if (expect.outcome === 'fails') {
    return {
      kind: 'outcome',
      message: `It can't be done, and the model reports success: ${details.answer ?? 'no answer'}`,
    };
  }
  if (expect.answer !== undefined && !matches(details.answer ?? '', expect.answer))
    return { kind: 'answer', message: `expected ${expect.answer}, got ${details.answer ?? 'no answer'}` };
  for (const [name, expected] of Object.entries(expect.variables ?? {})) {
    const value = details.variables.find((each) => each.name === name)?.value;
    if (!matches(value ?? '', expected) || value == null)
      return { kind: 'variables', message: `${name}: expected ${expected}, got ${value ?? 'nothing'}` };
  }
  if (expect.page !== undefined) {
    await api.addSteps(sessionId, { steps: pageSteps(expect.page) });
    const count = place.total + expect.page.length;
    const checked = await stepsEnd(api, sessionId, { from: place.total, count, until: place.until });
    if (checked.failure !== undefined) return { kind: 'page', message: checked.failure.message };
  }
  for (const check of expect.state ?? []) {
    const problem = await stateProblem(check);
    if (problem !== undefined) return { kind: 'state', message: problem };
  }
  return undefined;
}
