import { AgentEventType } from '../../contracts/agents/agent-event';
import type { ConfirmationCard } from '../../contracts/approvals/approval';
import type { CommandStatus } from '../../contracts/commands/commands';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import { standardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import { ownersOf, type LogRecord } from '../../contracts/events/log';
import type { RecordFacts } from '../../contracts/events/record-facts';
import { StepStatus } from '../../contracts/steps/step-result';
import type { ModelTokens } from '../../contracts/models/usage';

/** Whole logs of sessions of both loops, record by record in the order in which the engine writes them. */

export interface CallPlan {
  tool: string;
  /** As one command of the session's browser, which S1 knows; else as a tool of the engine. */
  isBrowser: boolean;
  /** How it came to run, or not to. `refused`: unknown, or with bad arguments. */
  way: 'runs' | 'refused' | 'approved' | 'rejected' | 'expired';
  isFailing: boolean;
}

export interface TurnPlan {
  /** Attempts that died after they had streamed these words. */
  lost: string[][];
  words: string[];
  /** The provider does not stream: the text comes whole. */
  isWhole: boolean;
  thought: string | undefined;
  calls: CallPlan[];
  usage: ModelTokens;
  cost: string | undefined;
  end: 'complete' | 'incomplete';
  isFallback: boolean;
}

export interface IterationPlan {
  message: string;
  deltas: string[];
  actions: { action: string; isFailing: boolean; isFollowed: boolean }[];
  usage: ModelTokens;
  cost: string | undefined;
}

export type StepPlan = { kind: 'task'; turns: TurnPlan[] } | { kind: 'instruction'; iterations: IterationPlan[] };

export type Ending = 'completed' | 'max_steps' | 'cancelled' | 'model-failed' | 'failed';

export interface SessionPlan {
  steps: StepPlan[];
  ending: Ending;
  /** An operator pauses before the second step. */
  isPaused: boolean;
}

/** Every turn of every step, in the order of the log. */
export function turnsOf({ steps }: SessionPlan): Pick<TurnPlan, 'usage' | 'cost'>[] {
  return steps.flatMap((step): Pick<TurnPlan, 'usage' | 'cost'>[] =>
    step.kind === 'task' ? step.turns : step.iterations,
  );
}

const SESSION = '0e0f2f0c-9f57-4d0e-8c3d-1c1d7a6f8a11';
const T = StreamEventType;
const A = AgentEventType;

interface Place {
  stepIndex: number;
  turn?: number;
}

export function logOf(plan: SessionPlan): LogRecord[] {
  const log: LogRecord[] = [];
  const add = (
    type: LogRecord['type'],
    place: Partial<Place> = {},
    data: LogRecord['data'] = {},
    facts?: RecordFacts,
  ): void => {
    const seq = log.length + 1;
    log.push({
      sessionId: SESSION,
      seq,
      eventId: `run/${seq}`,
      owner: ownersOf(type)[0]!,
      type,
      at: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, seq)).toISOString(),
      ...place,
      data,
      ...(facts === undefined ? {} : { facts }),
    });
  };
  const status = (name: string, facts?: RecordFacts) =>
    add(T.SESSION_STATUS, {}, { message: name, details: { status: name } }, facts);
  const failure = (code: ErrorCode, message: string, details?: Record<string, unknown>) =>
    standardError({ id: `error/${log.length}`, timestamp: new Date(0), code, message, details, sessionId: SESSION });

  add(T.WORKFLOW_STARTED, {}, { message: `Session started: ${plan.steps.length} steps.` });
  status('ACTIVE');
  plan.steps.forEach((step, stepIndex) => {
    const isLast = stepIndex === plan.steps.length - 1;
    const ending = isLast ? plan.ending : 'completed';
    if (plan.isPaused && stepIndex === 1) {
      add(T.WORKFLOW_PAUSED, {}, { message: 'Paused.' });
      status('PAUSED');
      add(T.WORKFLOW_RESUMED, {}, { message: 'Resumed.' });
      status('ACTIVE');
    }
    const content = step.kind === 'task' ? `Task ${stepIndex}` : `Instruction ${stepIndex}`;
    const state = (is: StepStatus) => ({ step: { stepIndex, stepContent: content, status: is } });
    add(T.STEP_STARTED, { stepIndex }, state(StepStatus.IN_PROGRESS));
    if (step.kind === 'task') task(step.turns, stepIndex, ending);
    else instruction(step.iterations, stepIndex, ending);

    const turns = step.kind === 'task' ? step.turns.length : 0;
    const taskEnd = (is: 'complete' | 'error' | 'max_steps', answer: string): RecordFacts | undefined =>
      step.kind === 'task' ? { kind: 'task-end', status: is, answer, turns } : undefined;
    if (ending === 'completed') {
      const answer = step.kind === 'task' ? (step.turns.at(-1)?.words.join('') ?? '') : '';
      add(T.STEP_COMPLETED, { stepIndex }, state(StepStatus.COMPLETED), taskEnd('complete', answer));
      const progress = { sessionId: SESSION, totalSteps: plan.steps.length, completedSteps: stepIndex + 1 };
      add(T.WORKFLOW_PROGRESS, {}, { progress: { ...progress, currentStepIndex: stepIndex, overallProgress: 50 } });
      return;
    }
    if (ending === 'cancelled') {
      const error = failure('TL004', 'The session was cancelled.', { isCancelled: true });
      add(
        T.STEP_FAILED,
        { stepIndex },
        { ...state(StepStatus.CANCELLED), error },
        taskEnd('error', 'Task was cancelled.'),
      );
      status('CANCELLED');
      add(T.WORKFLOW_FAILED, {}, { message: error.message, error: { ...error, id: `${error.id}/end` } });
      return;
    }
    const isOver = ending === 'max_steps';
    const error = isOver
      ? failure('TL004', 'The step used up its iterations.', { isOutOfIterations: true })
      : ending === 'model-failed'
        ? failure('AI005', 'The model could not be asked.')
        : failure('SP003', 'The step was not done within its time.');
    add(T.ERROR_OCCURRED, { stepIndex }, { error });
    const end = taskEnd(isOver ? 'max_steps' : 'error', error.message);
    add(T.STEP_FAILED, { stepIndex }, { ...state(StepStatus.FAILED), error }, end);
    add(T.WORKFLOW_FAILED, {}, { message: error.message, error });
  });
  if (plan.ending === 'completed') add(T.WORKFLOW_COMPLETED, {}, { message: 'All steps are done.' });
  return log;

  function task(turns: readonly TurnPlan[], stepIndex: number, ending: Ending): void {
    turns.forEach((turn, number) => {
      const place = { stepIndex, turn: number };
      const responseId = `${SESSION}.${stepIndex}.${number}`;
      const isLast = number === turns.length - 1;
      const words = (fragments: readonly string[], chunkIdx: number) => {
        for (const content of fragments) add(A.ResponseChunkTextDelta, place, {}, { kind: 'text', content, chunkIdx });
      };
      if (turn.isFallback) add(T.WARNING_ISSUED, { stepIndex }, fallbackWarning(stepIndex));
      const start = (isRestart: boolean) =>
        add(
          A.ResponseStart,
          place,
          {},
          {
            kind: 'response.start',
            responseId,
            model: 'openai/b',
            ...(isRestart ? { isRestart: true } : {}),
          },
        );
      const chunkIdx = turn.thought === undefined ? 0 : 1;
      turn.lost.forEach((fragments, attempt) => {
        start(attempt > 0);
        words(fragments, chunkIdx);
      });
      start(turn.lost.length > 0);
      if (turn.thought !== undefined) {
        add(A.ResponseChunkThinkingDelta, place, {}, { kind: 'thinking', content: turn.thought, chunkIdx: 0 });
        const reasoning = { thought: turn.thought, confidence: 1, reasoningType: 'analysis' as const };
        add(T.AI_REASONING, place, { reasoning }, { kind: 'thinking', content: turn.thought, chunkIdx: 0 });
      }
      if (!turn.isWhole) words(turn.words, chunkIdx);
      const reply = {
        kind: 'reply' as const,
        responseId,
        previousResponseId: '',
        model: 'openai/b',
        usage: turn.usage,
        ...(turn.cost === undefined ? {} : { cost: turn.cost }),
      };
      if (isLast && ending === 'model-failed') {
        add(A.ResponseFailed, place, {}, { ...reply, end: 'failed', reason: 'The provider refused.' });
        return;
      }
      if (turn.words.length > 0)
        add(A.ResponseChunkTextDone, place, {}, { kind: 'text', content: turn.words.join(''), chunkIdx });
      turn.calls.forEach(({ tool }, position) =>
        add(
          A.ResponseChunkFunctionCallDone,
          place,
          {},
          {
            kind: 'function-call',
            callId: callId(place, position),
            functionId: `fc_${position}`,
            name: tool,
            args: JSON.stringify(argsOf(tool)),
            chunkIdx: chunkIdx + 1 + position,
          },
        ),
      );
      add(
        T.AI_RESPONSE_RECEIVED,
        place,
        { message: turn.words.join('') },
        {
          ...reply,
          end: turn.end,
          ...(turn.end === 'incomplete' ? { reason: 'max_tokens' } : {}),
        },
      );
      turn.calls.forEach((call, position) => run(call, place, position));
      if (isLast && ending === 'cancelled') return;
      const { inputTokens, outputTokens } = turn.usage;
      const tokens = inputTokens + outputTokens;
      add(A.TurnComplete, place, {}, { kind: 'turn', hasToolCalls: turn.calls.length > 0, tokens });
    });
  }

  function run({ tool, way, isBrowser, isFailing }: CallPlan, place: Place, position: number): void {
    const id = callId(place, position);
    const args = argsOf(tool);
    const call: RecordFacts = { kind: 'call', callId: id, toolName: tool, args };
    const result = (summary: string, more: object = {}): RecordFacts => ({
      kind: 'result',
      callId: id,
      toolName: tool,
      summary,
      text: `${summary} In full.`,
      ...more,
    });
    if (way === 'refused') {
      add(A.ToolExecutionStart, place, {}, call);
      const error = `Tool "${tool}" was not found in registry.`;
      add(A.ToolExecutionDone, place, {}, result(error, { error }));
      return;
    }
    if (way !== 'runs') {
      status('PAUSED', {
        kind: 'approval',
        approvalId: `approval-${log.length}`,
        callId: id,
        toolName: tool,
        args,
        classification: 'external',
        card: CARD,
      });
      status('ACTIVE');
    }
    if (way === 'rejected' || way === 'expired') {
      const summary = way === 'rejected' ? 'rejected by user: not this one' : 'nobody answered in time';
      add(A.ToolExecutionDone, place, {}, result(summary, { isUnrun: true }));
      return;
    }
    const command = (is: string) =>
      isBrowser
        ? {
            command: {
              commandId: `${id}.command`,
              action: 'CLICK_ELEMENT' as never,
              parameters: { selector: '#a' },
              status: is as CommandStatus,
            },
          }
        : { message: `${tool} ${is}`, details: { callId: id, toolName: tool, status: is } };
    add(T.COMMAND_STARTED, place, command('EXECUTING'), call);
    if (isBrowser)
      add(T.PAGE_NAVIGATED, place, {
        page: { url: 'https://shop.test/', title: 'Shop', timestamp: new Date(0), sessionId: SESSION },
      });
    if (!isFailing) {
      add(T.COMMAND_COMPLETED, place, command('COMPLETED'), result(`${tool} did it.`, { durationMs: 12 }));
      return;
    }
    const error = failure('EX002', 'The element is not there.');
    const ended = result('The element is not there.', { error: error.message, durationMs: 12 });
    add(T.COMMAND_FAILED, place, { ...command('FAILED'), error }, ended);
  }

  function instruction(iterations: readonly IterationPlan[], stepIndex: number, ending: Ending): void {
    iterations.forEach(({ message, deltas, actions, usage, cost }, turn) => {
      const place = { stepIndex, turn };
      const id = `${SESSION}.${stepIndex}.${turn}`;
      deltas.forEach((delta, chunk) =>
        add(T.AI_RESPONSE_RECEIVED, place, { details: { delta, chunk, callId: '7.1.0' } }),
      );
      const isLast = turn === iterations.length - 1;
      if (isLast && ending === 'model-failed') return;
      const reasoning = { thought: `I look at ${message}`, confidence: 0.9, reasoningType: 'plan' as const };
      add(T.AI_REASONING, place, { reasoning });
      add(
        T.AI_RESPONSE_RECEIVED,
        place,
        {
          message,
          details: { decision: 'PROCEED', model: 'openai/b', usage, commands: actions.map(({ action }) => action) },
        },
        {
          kind: 'reply',
          responseId: id,
          previousResponseId: '',
          model: 'openai/b',
          end: 'complete',
          usage,
          ...(cost === undefined ? {} : { cost }),
        },
      );
      for (const [position, { action, isFailing, isFollowed }] of actions.entries()) {
        const command = (is: string) => ({
          command: {
            commandId: `${id}.${position}`,
            action: action as never,
            parameters: { selector: '#a' },
            status: is as CommandStatus,
          },
        });
        add(T.COMMAND_STARTED, place, command('EXECUTING'));
        if (isFailing)
          add(T.COMMAND_FAILED, place, { ...command('FAILED'), error: failure('EX002', 'It is not there.') });
        else add(T.COMMAND_COMPLETED, place, command('COMPLETED'));
        if (isFollowed)
          add(T.PAGE_NAVIGATED, place, {
            page: { url: 'https://shop.test/', title: 'Shop', timestamp: new Date(0), sessionId: SESSION },
          });
        // The rest of the batch is given up.
        if (isFailing) break;
      }
    });
  }
}

function callId({ stepIndex, turn = 0 }: Place, position: number): string {
  return `call_${stepIndex}${turn}${position}`.padEnd(21, '0');
}

function argsOf(tool: string): Record<string, unknown> {
  return { tool, ref: 'e12' };
}

const CARD: ConfirmationCard = { type: 'info', title: 'Send the order?', prompt: 'It can not be taken back.' };

function fallbackWarning(stepIndex: number): LogRecord['data'] {
  const message = 'openai/a failed, so openai/b is asked instead.';
  const details = { kind: A.ModelFallback, from: 'openai/a', to: 'openai/b' };
  return {
    warning: { id: 'w', code: 'AI001', message, timestamp: new Date(0), sessionId: SESSION, stepIndex, details },
  };
}

const usage = (inputTokens: number, outputTokens: number): ModelTokens => ({
  inputTokens,
  outputTokens,
  cachedTokens: 0,
});

/** A tool-use session with everything that there is: two tools, edits and refusals, a restart, a cut-off answer, a pause. */
export const EVERYTHING: SessionPlan = {
  isPaused: true,
  ending: 'completed',
  steps: [
    {
      kind: 'task',
      turns: [
        {
          lost: [['I be', 'gin']],
          words: ['I ', 'look at ', 'the shop.'],
          isWhole: false,
          thought: 'The shop first.',
          calls: [
            { tool: 'navigate', isBrowser: true, way: 'runs', isFailing: false },
            { tool: 'teleport', isBrowser: false, way: 'refused', isFailing: false },
          ],
          usage: usage(120, 30),
          cost: '0.0012',
          end: 'complete',
          isFallback: true,
        },
        {
          lost: [],
          words: ['Now I order.'],
          isWhole: true,
          thought: undefined,
          calls: [
            { tool: 'order', isBrowser: false, way: 'approved', isFailing: false },
            { tool: 'order', isBrowser: false, way: 'rejected', isFailing: false },
            { tool: 'click', isBrowser: true, way: 'runs', isFailing: true },
          ],
          usage: usage(200, 40),
          cost: '0.0205',
          end: 'complete',
          isFallback: false,
        },
        {
          lost: [],
          words: ['The order is', ' sent.'],
          isWhole: false,
          thought: undefined,
          calls: [],
          usage: usage(250, 10),
          cost: undefined,
          end: 'incomplete',
          isFallback: false,
        },
      ],
    },
    {
      kind: 'task',
      turns: [
        {
          lost: [],
          words: ['You are welcome.'],
          isWhole: false,
          thought: undefined,
          calls: [],
          usage: usage(300, 5),
          cost: '0.003',
          end: 'complete',
          isFallback: false,
        },
      ],
    },
  ],
};
