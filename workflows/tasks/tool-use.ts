import { workflowInfo } from '@temporalio/workflow';
import type { ModelTurnOutput } from '../../activities/task-activities';
import {
  CANCELLED_ANSWER,
  COMPLETED_ANSWER,
  MAX_STEPS_ANSWER,
  modelFailedAnswer,
} from '../../contracts/tasks/agent-loop';
import { AgentEventType } from '../../contracts/events/agent-event';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { RecordFacts } from '../../contracts/events/record-facts';
import { thinkActivities } from '../activities/task-proxies';
import { applicationFailureOf, errorOf, isSuperseded, withRetries } from '../activities/failures';
import { CallRecords } from './call-records';
import { stuckMessage } from './loop-guards';
import { ModelFallback } from '../models/fallback';
import type { PauseControl } from '../waits/pause';
import { runCalls } from './run-calls';
import type { SessionRun } from '../sessions/session-run';
import { optionsOf } from '../steps/step-options';
import type { TaskProgress } from './task-progress';
import { TurnCancelled } from './turn-control';

export type TaskFacts = Extract<RecordFacts, { kind: 'task-end' }>;

/** `handover`: nothing is under way, and the next run of the workflow goes on with the next turn. */
export type TaskEnd =
  | { kind: 'completed'; facts: TaskFacts }
  | { kind: 'failed' | 'cancelled'; facts: TaskFacts; error: StandardError }
  | { kind: 'handover' };

/**
 * The tool-use loop of one task: ask the model, run the tools that it calls, give it what they gave, until it answers, or
 * may not go on (S0.R2, S0.R3). A failing tool ends nothing; a model that fails for good does (S0.A11).
 */
export async function toolUse(run: SessionRun, pause: PauseControl, progress: TaskProgress): Promise<TaskEnd> {
  run.turns.begin();
  try {
    return await takeTurns(run, pause, progress);
  } catch (error) {
    if (!(error instanceof TurnCancelled)) throw error;
    const { stepIndex } = progress;
    run.outbox.record('task-loop', AgentEventType.UserCancelled, { message: error.message }, stepIndex, {
      turn: progress.turn,
    });
    const cancelled = endError(run, stepIndex, `The response was cancelled: ${error.message}`, { isCancelled: true });
    return { kind: 'cancelled', facts: taskFacts('error', CANCELLED_ANSWER, progress), error: cancelled };
  } finally {
    run.turns.end();
  }
}

async function takeTurns(run: SessionRun, pause: PauseControl, progress: TaskProgress): Promise<TaskEnd> {
  const { stepIndex } = progress;
  const step = run.steps[stepIndex]!;
  const { ai } = optionsOf(step, run.config);
  const maxSteps = step.task?.maxSteps ?? run.config.agent.maxSteps;
  const models = new ModelFallback(run, stepIndex, ai.model);
  const firstTurn = progress.turn;
  const records = new CallRecords(run, progress);
  const failed = (status: 'error' | 'max_steps', answer: string, error: StandardError): TaskEnd => {
    return { kind: 'failed', facts: taskFacts(status, answer, progress), error };
  };

  for (; ; progress.turn += 1) {
    await pause.safePoint();
    run.turns.check();
    if (progress.turn >= maxSteps) {
      const message = `The task did not complete within its ${maxSteps} turns. Give it more (maxSteps), or split it.`;
      const answer = progress.lastText === '' ? MAX_STEPS_ANSWER : progress.lastText;
      return failed('max_steps', answer, endError(run, stepIndex, message, { kind: 'max-steps', maxSteps }));
    }
    // One that hands over at once would never get anywhere.
    if (progress.turn > firstTurn && isHandoverDue()) return { kind: 'handover' };

    let reply: ModelTurnOutput;
    try {
      reply = await run.turns.run(() => models.ask((model) => think(run, model, progress)));
    } catch (error) {
      if (applicationFailureOf(error) === undefined || isSuperseded(error)) throw error;
      const cause = { ...errorOf(error, 'TL002'), sessionId: run.sessionId, stepIndex };
      return failed('error', modelFailedAnswer(cause.message), cause);
    }
    progress.turns = progress.turn + 1;
    progress.ends = [];
    progress.notes = [];
    if (reply.text !== '') progress.lastText = reply.text;
    const tokens = reply.usage.inputTokens + reply.usage.outputTokens;
    if (reply.kind === 'answer') {
      if (reply.isTruncated) warnOfCut(run, progress);
      records.turnOver(false, tokens);
      if (reply.isGivenUp === true)
        return failed('error', reply.text, endError(run, stepIndex, reply.text, { kind: 'given-up' }));
      const answer = reply.text === '' ? COMPLETED_ANSWER : reply.text;
      return { kind: 'completed', facts: taskFacts('complete', answer, progress) };
    }

    const { ends, notes, stuckAt } = await runCalls(run, pause, progress, reply.calls);
    progress.ends = ends;
    progress.notes = notes;
    records.turnOver(true, tokens);
    if (stuckAt !== undefined) {
      const message = stuckMessage(stuckAt);
      return failed('error', message, endError(run, stepIndex, message, { kind: 'stuck-loop', url: stuckAt }));
    }
  }
}

export function taskFacts(status: TaskFacts['status'], answer: string, { turns }: TaskProgress): TaskFacts {
  return { kind: 'task-end', status, answer, turns };
}

function isHandoverDue(): boolean {
  const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return continueAsNewSuggested || targetWorkerDeploymentVersionChanged === true;
}

/** The table says of the code that a retry may help; here it would only go the same way again. */
function endError(
  run: SessionRun,
  stepIndex: number,
  message: string,
  details: Record<string, unknown>,
): StandardError {
  return { ...run.error('TL004', message, { stepIndex, moduleId: 'task-loop', details }), retryable: false };
}

function warnOfCut(run: SessionRun, { stepIndex, turn }: TaskProgress): void {
  const warning = {
    id: `${run.sessionId}/cut/${stepIndex}/${turn}`,
    code: 'AI005',
    message: "The model's answer was cut off by its limit of tokens (maxTokens).",
    timestamp: new Date(),
    sessionId: run.sessionId,
    stepIndex,
  };
  run.record('executor-streamer', StreamEventType.WARNING_ISSUED, { warning }, stepIndex);
}

async function think(
  run: SessionRun,
  model: string,
  { stepIndex, turn, ends, notes }: TaskProgress,
): Promise<ModelTurnOutput> {
  const step = run.steps[stepIndex]!;
  const { ai } = optionsOf(step, run.config);
  const summary = `task ${stepIndex + 1}, turn ${turn + 1}: ${step.instruction}`.slice(0, 200);
  return await withRetries(run.config.timeouts, () =>
    run.outbox.flushWith((outbox) =>
      thinkActivities(summary, model).runModelTurn({
        sessionId: run.sessionId,
        stepIndex,
        turn,
        step,
        ai: { ...ai, model },
        ends,
        notes,
        outbox,
      }),
    ),
  );
}
