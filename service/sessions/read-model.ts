import { givenRequestOf } from '../../contracts/sessions/given-request';
import { toPendingApproval } from '../../contracts/approvals/approval';
import { progressOf } from '../../contracts/sessions/progress';
import { SECRET_MARK, type ScreenshotInfo, type VariableInfo } from '../../contracts/sessions/resources';
import type { WorkflowSession } from '../../contracts/sessions/session';
import type { Step } from '../../contracts/sessions/step-input';
import { StepStatus } from '../../contracts/steps/step-result';
import { sessionUsage } from '../../contracts/models/usage';
import type { SessionResult } from '../../contracts/results/result';
import type { StepSummary } from '../../contracts/events/outbox';
import { toWaitingForAnswer } from '../../contracts/approvals/waiting-for';
import type { ArtifactRow } from '../../store/artifacts/artifacts';
import { DEFAULT_TENANT } from '../../contracts/sessions/start-request';
import type { ListedSession } from '../../contracts/sessions/session-list';
import type { ListedRow, SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import type { VariableRow } from '../../store/sessions/variables';
import { createDomReader } from './dom-reader';
import type { SessionDetails, SessionState } from '../port/port';
import { notFound } from '../rows/session-row';
import { toStepResult } from './step-result';

/**
 * Builds S1.1. The steps are in `metadata` (S1.A4), beside the caller's metadata; so is the name of a workflow that was
 * started under one of its own.
 */
export function toWorkflowSession(row: SessionRow): WorkflowSession {
  const { sessionId, executorSessionId, streamId, aiConnectionId, createdAt, lastActivity, status, plan } = row;
  const steps = plan.steps.map((step) => step.instruction);
  return {
    sessionId,
    executorSessionId,
    ...(plan.config.enableStreaming ? { streamId } : {}),
    aiConnectionId,
    createdAt,
    lastActivity,
    status,
    metadata: {
      ...plan.metadata,
      steps,
      totalSteps: steps.length,
      ...(row.workflowId === sessionId ? {} : { workflowId: row.workflowId }),
    },
  };
}

export function toListedSession(row: ListedRow): ListedSession {
  const { title, currentStep, waitsFor, queuePosition, pageWait, cost, error, plan } = row;
  return {
    ...toWorkflowSession(row),
    title,
    tenant: plan.tenant ?? DEFAULT_TENANT,
    currentStep,
    totalSteps: plan.steps.length,
    ...(waitsFor === null ? {} : { waitsFor }),
    ...(queuePosition === null ? {} : { queuePosition }),
    ...(plan.notBefore === undefined ? {} : { notBefore: plan.notBefore }),
    ...(pageWait === null ? {} : { pageWait }),
    cost,
    ...(error === null ? {} : { errorMessage: error.message }),
  };
}

export function toSessionState(row: SessionRow): SessionState {
  const { sessionId, workflowId, status, firstSeq, lastSeq, closed: isEnded, isExpired, plan } = row;
  const { stream, enableStreaming: hasStream } = plan.config;
  return { sessionId, workflowId, status, firstSeq, lastSeq, isEnded, isExpired, stream, hasStream };
}

/** A variable of the environment has no value here. */
export function toVariableInfo(sessionId: string, row: VariableRow): VariableInfo {
  return {
    name: row.name,
    value: row.env === null ? (row.value ?? '') : SECRET_MARK,
    ...(row.previousValue === null ? {} : { previousValue: row.previousValue }),
    timestamp: row.at,
    sessionId,
    ...(row.stepIndex === null ? {} : { stepIndex: row.stepIndex }),
    source: row.source,
  };
}

export function toScreenshotInfo(row: ArtifactRow): ScreenshotInfo {
  const { width, height, actionType, ...others } = row.facts;
  return {
    id: row.artifactId,
    sessionId: row.sessionId,
    ...(row.stepIndex === null ? {} : { stepIndex: row.stepIndex }),
    ...(row.commandId === null ? {} : { commandId: row.commandId }),
    actionType: actionType ?? '',
    timestamp: row.at,
    filePath: row.path,
    thumbnailPath: `/v1/sessions/${row.sessionId}/screenshots/${row.artifactId}/thumbnail`,
    dimensions: { width: width ?? 0, height: height ?? 0 },
    fileSize: row.bytes,
    metadata: { ...others, sha256: row.sha256 },
  };
}

export async function readVariables(store: Store, { sessionId }: SessionRow): Promise<VariableInfo[]> {
  return (await store.variables.ofSession(sessionId)).map((variable) => toVariableInfo(sessionId, variable));
}

export async function readDetails(store: Store, row: SessionRow, withDom: boolean): Promise<SessionDetails> {
  const { sessionId, plan } = row;
  const [summaries, entries, variables, queuePosition, usage, doms, approvals, result, delivery, mails] =
    await Promise.all([
      store.memory.stepResults(sessionId),
      store.journal.ofSession(sessionId),
      readVariables(store, row),
      store.browserRequests.position(sessionId),
      store.modelCalls.usageOf(sessionId),
      createDomReader(store, sessionId, withDom),
      store.approvals.pending(sessionId),
      store.results.get(sessionId),
      plan.config.webhook === undefined ? null : store.webhooks.newest(sessionId),
      plan.config.report === undefined ? [] : store.webhooks.mails(sessionId),
    ]);
  const stepResults = [];
  for (const summary of summaries) {
    const ofStep = entries.filter((entry) => entry.stepIndex === summary.stepIndex);
    stepResults.push(await toStepResult(sessionId, summary, ofStep, doms));
  }
  const steps = plan.steps.map((step) => step.instruction);
  const completed = summaries.filter(({ status }) => status === StepStatus.COMPLETED);
  const currentStepIndex = Math.min(row.currentStep, plan.steps.length - 1);
  return {
    title: plan.name ?? steps[0] ?? '',
    session: toWorkflowSession(row),
    request: givenRequestOf(plan),
    answer: answerOf(plan, summaries),
    result: result?.isComplete === true ? result.value : null,
    progress: progressOf({
      sessionId,
      totalSteps: steps.length,
      completedSteps: completed.length,
      durationMs: completed.reduce((sum, { durationMs }) => sum + durationMs, 0),
      currentStepName: steps[currentStepIndex] ?? '',
      currentStepIndex,
      lastActivity: row.lastActivity,
    }),
    stepResults,
    variables,
    error: row.error,
    webhook: plan.config.webhook === undefined ? null : (delivery ?? { status: 'pending', attempts: 0, warning: null }),
    mails,
    waitingFor: row.waitingFor === null ? null : toWaitingForAnswer(sessionId, row.waitingFor),
    approvals: approvals.map(toPendingApproval),
    usage: sessionUsage(usage),
    budget: row.budget,
    workflowId: row.workflowId,
    lastSeq: row.lastSeq,
    ...(plan.notBefore === undefined ? {} : { notBefore: plan.notBefore }),
    ...(queuePosition === null ? {} : { queuePosition }),
    ...(row.pageWait === null ? {} : { pageWait: row.pageWait }),
  };
}

/** Reads the result of a step, or the newest of the session. */
export async function readResult(
  store: Store,
  { sessionId }: SessionRow,
  stepIndex: number | undefined,
): Promise<SessionResult> {
  const result = await store.results.get(sessionId, stepIndex);
  if (result !== null) return result;
  const whose = stepIndex === undefined ? `Session ${sessionId}` : `Step ${stepIndex + 1} of session ${sessionId}`;
  throw notFound(`${whose} has no result. It gets one when a task or extract step with a result has read its pages.`);
}

/** The answer of the newest task that has ended. */
function answerOf({ steps }: SessionRow['plan'], summaries: readonly StepSummary[]): string | null {
  const isTask = (step: Step | undefined): boolean => step?.task !== undefined && step.task.call === undefined;
  return summaries.findLast(({ stepIndex }) => isTask(steps[stepIndex]))?.reasoning ?? null;
}
