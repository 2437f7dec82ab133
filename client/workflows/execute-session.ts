import { ChildWorkflowCancellationType, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { ENGINE_QUEUE, SESSION_WORKFLOW } from '../../contracts/queues';
import { workflowBackstop } from '../../contracts/sessions/activity-limits';
import type { SessionOutcome } from '../../contracts/sessions/outcome';
import { DEFAULT_TIMEOUT_CONFIG } from '../../contracts/sessions/timeouts';
import type { AddStepsRequest, StartRequest } from '../../contracts/sessions/start-request';
import type { StepInput } from '../../contracts/sessions/step-input';

/** Steps in plain English, or one task. */
export type SessionWork = readonly StepInput[] | Extract<StepInput, { task: string }>;

/** What else a start request has, and how the child workflow is run. */
export interface SessionOptions extends Omit<StartRequest, 'steps'> {
  /** Of the child workflow; one that follows from your own workflow's id starts the session once. */
  workflowId?: string;
  /** Where the engine workers poll; `surefoot` unless given. */
  taskQueue?: string;
  /** What becomes of the session when your workflow ends first: it is cancelled, unless you say otherwise. */
  parentClosePolicy?: ParentClosePolicy;
}

/** A session that runs as a child of this workflow. */
export interface SessionHandle<Result = unknown> {
  /** Of the child workflow: REST, command line and Temporal UI find the session by it. */
  readonly workflowId: string;
  /** Resolves when the session has completed; rejects with a ChildWorkflowFailure when it has failed or was cancelled. */
  result(): Promise<SessionOutcome<Result>>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  addSteps(steps: readonly StepInput[]): Promise<void>;
  /** Ends a conversation (`config.agent.stayOpen`) when it has done what it was given. */
  close(): Promise<void>;
}

/**
 * Runs a session as a child workflow and returns its outcome. Cancelling your workflow, or the scope that this is called in,
 * cancels the session and waits until its browser is released. A session that fails rejects with a ChildWorkflowFailure;
 * `sessionErrorOf` reads its StandardError. `Result` is the type of what `result.schema` asks for.
 */
export async function executeSession<Result = unknown>(
  work: SessionWork,
  options?: SessionOptions,
): Promise<SessionOutcome<Result>> {
  return await (await startSession<Result>(work, options)).result();
}

/** Starts a session as a child workflow; resolves when it has started. */
export async function startSession<Result = unknown>(
  work: SessionWork,
  { workflowId, taskQueue = ENGINE_QUEUE, parentClosePolicy, ...request }: SessionOptions = {},
): Promise<SessionHandle<Result>> {
  const input: StartRequest = { ...request, steps: isTask(work) ? [work] : [...work] };
  const child = await startChild<(input: StartRequest) => Promise<SessionOutcome<Result>>>(SESSION_WORKFLOW, {
    args: [input],
    taskQueue,
    ...workflowBackstop(activeLimitOf(request.config)),
    ...(workflowId === undefined ? {} : { workflowId }),
    parentClosePolicy: parentClosePolicy ?? ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
  return {
    workflowId: child.workflowId,
    result: () => child.result(),
    pause: () => child.signal('pause'),
    resume: () => child.signal('resume'),
    addSteps: (steps) => child.signal<[AddStepsRequest]>('addSteps', { steps: [...steps] }),
    close: () => child.signal('close'),
  };
}

function activeLimitOf({ maxExecutionTime, timeouts }: NonNullable<StartRequest['config']> = {}): number {
  return maxExecutionTime ?? timeouts?.workflowTimeoutMs ?? DEFAULT_TIMEOUT_CONFIG.workflowTimeoutMs;
}

function isTask(work: SessionWork): work is Extract<StepInput, { task: string }> {
  return !Array.isArray(work);
}
