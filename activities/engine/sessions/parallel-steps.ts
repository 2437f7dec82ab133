import { toCarriedPlan } from '../../../contracts/sessions/carried-steps';
import type { SessionStatus } from '../../../contracts/sessions/session';
import type { SessionPlan } from '../../../contracts/sessions/start-request';
import { StepStatus } from '../../../contracts/steps/step-result';
import { oneLine } from '../../../contracts/text';
import { sessionIdOf } from '../../../store/sessions/session-id';
import type { Store } from '../../../store/store';
import { createActivities } from '../../activity/define-activities';
import { EngineError } from '../../activity/failures';
import { resultSummary } from '../../results/settle-result';
import type {
  EndedParallelStep,
  OpenParallelStep,
  ParallelActivities,
  PlannedParallelStep,
  PlanParallelStepInput,
} from '../../signatures/parallel-activities';

const MAX_NAME_LENGTH = 120;
const ENDS: Partial<Record<SessionStatus, EndedParallelStep['status']>> = {
  COMPLETED: StepStatus.COMPLETED,
  CANCELLED: StepStatus.CANCELLED,
};

export interface ParallelDeps {
  store: Pick<Store, 'sessions' | 'memory' | 'variables' | 'results'>;
}

export function createParallelActivities(deps: ParallelDeps): ParallelActivities {
  return createActivities<ParallelDeps, ParallelActivities>(deps, {
    planParallelStep: ['SP002', 'step-processor', planParallelStep],
    collectParallelSteps: ['SP002', 'step-processor', collectParallelSteps],
  });
}

async function planParallelStep(
  { store }: ParallelDeps,
  { sessionId: parentId, stepIndex, workflowId }: PlanParallelStepInput,
): Promise<PlannedParallelStep> {
  const parent = await store.sessions.get(parentId);
  if (parent?.plan.steps[stepIndex] === undefined)
    throw new EngineError('SP002', `Session ${parentId} has no step ${stepIndex + 1} any more.`);
  const plan = planOfStep(parent.plan, { sessionId: parentId, stepIndex });
  const sessionId = sessionIdOf(workflowId);
  // Also where its workflow never begins, its end is in its row.
  await store.sessions.create({ sessionId, workflowId, plan });
  return { sessionId, start: toCarriedPlan({ plan }) };
}

/** Its own session has no mail to send: that is of the session with all steps. */
function planOfStep(whole: SessionPlan, place: { sessionId: string; stepIndex: number }): SessionPlan {
  const { notBefore: _begun, name, ...kept } = whole;
  const { parallelExecution: _parallel, report: _report, ...config } = whole.config;
  const step = place.stepIndex + 1;
  return {
    ...kept,
    ...(name === undefined ? {} : { name: oneLine(`Step ${step} of ${name}`, MAX_NAME_LENGTH) }),
    steps: [whole.steps[place.stepIndex]!],
    config,
    warnings: [],
    metadata: { ...whole.metadata, stepOf: { sessionId: place.sessionId, step } },
  };
}

async function collectParallelSteps(
  { store }: ParallelDeps,
  { sessionId, steps }: { sessionId: string; steps: OpenParallelStep[] },
): Promise<EndedParallelStep[]> {
  const ended = await Promise.all(steps.map((step) => endOf(store, sessionId, step)));
  return ended.filter((end) => end !== undefined);
}

async function endOf(
  store: ParallelDeps['store'],
  parentId: string,
  { stepIndex, sessionId }: OpenParallelStep,
): Promise<EndedParallelStep | undefined> {
  const row = await store.sessions.get(sessionId);
  if (row?.closed !== true) return undefined;
  const [[step], found] = await Promise.all([store.memory.stepResults(sessionId), store.results.get(sessionId)]);
  await store.variables.hand({ from: sessionId, to: parentId, stepIndex });
  const result = found === null ? undefined : { ...found, stepIndex };
  if (result !== undefined) await store.results.save(parentId, result);
  return {
    stepIndex,
    status: ENDS[row.status] ?? StepStatus.FAILED,
    ...(row.error === null ? {} : { error: row.error }),
    reasoning: step?.reasoning ?? '',
    durationMs: step?.durationMs ?? 0,
    url: step?.page.url ?? 'about:blank',
    ...(result?.isComplete === true ? { result: resultSummary(result) } : {}),
  };
}
