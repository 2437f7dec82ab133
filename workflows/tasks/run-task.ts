import type { ModelTurnOutput } from '../../activities/signatures/task-activities';
import { toCancellation } from '../../contracts/errors/cancellation';
import { retrySettings } from '../../contracts/sessions/timeouts';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import type { StandardError } from '../../contracts/errors/standard-error';
import { AgentEventType } from '../../contracts/agents/agent-event';
import type { RecordFacts } from '../../contracts/events/record-facts';
import { maxStepsOf } from '../../contracts/results/extract-words';
import {
  CANCELLED_ANSWER,
  COMPLETED_ANSWER,
  MAX_STEPS_ANSWER,
  modelFailedAnswer,
} from '../../contracts/tasks/agent-loop';
import { applicationFailureOf, errorOf, isSuperseded } from '../proxies/failures';
import { withinTimeOfStep } from '../proxies/retries';
import { modelTurnActivities } from '../proxies/task-proxies';
import { ModelFallback } from '../models/fallback';
import { isContinueAsNewDue } from '../sessions/continue-as-new';
import type { SessionRun } from '../sessions/session-run';
import { applyVerdict } from '../sessions/step-verdict';
import { CallRecords } from './call-records';
import { runCalls } from './run-calls';
import type { TaskProgress } from '../turns/task-progress';
import { TurnCancelled } from '../turns/turn-control';

export type TaskFacts = Extract<RecordFacts, { kind: 'task-end' }>;

/** `handover`: nothing is under way, and the next run of the workflow goes on with the next turn. */
export type TaskOutcome =
  | { kind: 'completed'; facts: TaskFacts }
  | { kind: 'failed' | 'cancelled'; facts: TaskFacts; error: StandardError }
  | { kind: 'handover' };

/**
 * The tool-use loop of one task: calls the model, runs the tools that it calls and gives it their results, until it answers
 * or may not go on (S0.R2, S0.R3). A failing tool ends nothing; a model that fails for good does (S0.A11).
 */
export async function runTask(run: SessionRun, progress: TaskProgress): Promise<TaskOutcome> {
  const { session, task } = run;
  task.turns.begin();
  try {
    return await takeTurns(run, progress);
  } catch (error) {
    if (!(error instanceof TurnCancelled)) throw error;
    const { stepIndex, turn } = progress;
    session.outbox.record('task-loop', AgentEventType.UserCancelled, { message: error.message }, stepIndex, { turn });
    const message = `The response was cancelled: ${error.message}`;
    const cancelled = toCancellation(session.error('TL004', message, { stepIndex }));
    return { kind: 'cancelled', facts: taskFacts('error', CANCELLED_ANSWER, progress), error: cancelled };
  } finally {
    task.turns.end();
  }
}

async function takeTurns(run: SessionRun, progress: TaskProgress): Promise<TaskOutcome> {
  const { session, task } = run;
  const { stepIndex } = progress;
  const step = session.steps.current;
  const maxSteps = maxStepsOf(step, session.config.agent);
  const { setting, isReadFirst } = session.models.ofTask(step, session.config);
  const models = new ModelFallback(run, stepIndex, setting);
  const firstTurn = progress.turn;
  const records = new CallRecords(session, progress);
  const failed = (status: 'error' | 'max_steps', answer: string, error: StandardError): TaskOutcome => {
    return { kind: 'failed', facts: taskFacts(status, answer, progress), error };
  };

  for (; ; progress.nextTurn()) {
    await run.pause.safePoint();
    task.turns.check();
    if (progress.turn >= maxSteps) {
      const message = `The task did not complete within its ${maxSteps} turns. Give it more (maxSteps), or split it.`;
      const answer = progress.lastText === '' ? MAX_STEPS_ANSWER : progress.lastText;
      return failed('max_steps', answer, endError(run, progress, message, { kind: 'max-steps', maxSteps }));
    }
    // A run that handed over at once would never get anywhere.
    if (progress.turn > firstTurn && isContinueAsNewDue()) return { kind: 'handover' };

    session.beginTurn();
    let reply: ModelTurnOutput;
    try {
      reply = await task.turns.run(() => models.call((model) => runModelTurn(run, model, isReadFirst, progress)));
    } catch (error) {
      if (applicationFailureOf(error) === undefined || isSuperseded(error)) throw error;
      const cause = { ...errorOf(error, 'TL002'), sessionId: session.id, stepIndex };
      return failed('error', modelFailedAnswer(cause.message), cause);
    }
    progress.replied(reply.text);
    const tokens = reply.usage.inputTokens + reply.usage.outputTokens;
    if (reply.kind === 'answer') {
      if (reply.isTruncated) warnOfTruncation(run, progress);
      records.turnCompleted(false, tokens);
      if (reply.isGivenUp === true)
        return failed('error', reply.text, endError(run, progress, reply.text, { kind: 'given-up' }));
      if (reply.incomplete !== undefined) {
        if (progress.isRepair)
          return failed(
            'error',
            reply.incomplete,
            endError(run, progress, reply.incomplete, { kind: 'incomplete-result' }),
          );
        progress.repair(reply.incomplete);
        continue;
      }
      if (reply.result !== undefined) session.setResult(reply.result);
      const answer = reply.text === '' ? COMPLETED_ANSWER : reply.text;
      return { kind: 'completed', facts: taskFacts('complete', answer, progress) };
    }

    const { ends, notes, stuck } = await runCalls(run, progress, reply.calls);
    progress.callsEnded(ends, notes);
    records.turnCompleted(true, tokens);
    const verdict = ends.find(({ endsStep }) => endsStep !== undefined)?.endsStep;
    if (verdict !== undefined) {
      const error = applyVerdict(session, stepIndex, verdict);
      if (error !== undefined) return failed('error', verdict.reason, error);
      return { kind: 'completed', facts: taskFacts('complete', verdict.reason, progress) };
    }
    if (stuck !== undefined) {
      const { message, ...where } = stuck;
      return failed('error', message, endError(run, progress, message, { kind: 'stuck-loop', ...where }));
    }
  }
}

export function taskFacts(status: TaskFacts['status'], answer: string, { turns }: TaskProgress): TaskFacts {
  return { kind: 'task-end', status, answer, turns };
}

/** The error table says that a retry of this code may help; here it would only go the same way again. */
function endError(
  { session }: SessionRun,
  { stepIndex, failure }: TaskProgress,
  message: string,
  details: Record<string, unknown>,
): StandardError {
  const cause =
    failure && session.error(failure.code as ErrorCode, failure.message, { stepIndex, moduleId: 'executor' });
  return { ...session.error('TL004', message, { stepIndex, details, cause }), retryable: false };
}

function warnOfTruncation({ session }: SessionRun, { stepIndex, turn }: TaskProgress): void {
  const id = `${session.id}/cut/${stepIndex}/${turn}`;
  const message = "The model's answer was cut off by its limit of tokens (maxTokens).";
  session.warn({ id, code: 'AI005', message }, stepIndex);
}

async function runModelTurn(
  { session }: SessionRun,
  model: string,
  isReadFirst: boolean,
  { stepIndex, turn, incoming }: TaskProgress,
): Promise<ModelTurnOutput> {
  const step = session.steps.currentFor(model);
  const summary = `task ${stepIndex + 1}, turn ${turn + 1}: ${step.instruction}`.slice(0, 200);
  const replied = await withinTimeOfStep(() =>
    session.outbox.flushWith((outbox) =>
      modelTurnActivities(summary, session.modelLimits(step)).runModelTurn({
        sessionId: session.id,
        stepIndex,
        turn,
        step,
        ...(isReadFirst ? { isReadFirst: true as const } : {}),
        retries: retrySettings(session.config.timeouts),
        ...incoming,
        outbox,
      }),
    ),
  );
  return session.spend(replied);
}
