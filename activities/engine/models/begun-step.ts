import { z } from 'zod';
import { DecisionAction, REFLECTION_CONFIDENCE, type AIResponse } from '../../../contracts/models/ai-response';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Step } from '../../../contracts/sessions/step-input';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { NextStep, PastIteration } from '../../../contracts/model-port/port';
import { NO_USAGE } from './calls/language-call';

/**
 * The step that follows, where one reply may judge the present step and begin that one: commands have run, all that
 * happened is known, and both steps ask the same model in the same way.
 */
export function nextStepOf(
  steps: readonly Step[],
  stepIndex: number,
  { mayAct, pastIterations, hasUnknown }: { mayAct: boolean; pastIterations: PastIteration[]; hasUnknown: boolean },
): NextStep | undefined {
  const [present, next] = steps.slice(stepIndex, stepIndex + 2);
  if (present === undefined || next === undefined || !mayAct || hasUnknown) return undefined;
  const hasActed = pastIterations.some(({ outcomes }) => outcomes.some(({ status }) => status === 'done'));
  const isAlike =
    next.task === undefined &&
    next.textIn === undefined &&
    JSON.stringify(present.options.aiConfig) === JSON.stringify(next.options.aiConfig);
  return hasActed && isAlike ? { stepIndex: stepIndex + 1, instruction: next.instruction } : undefined;
}

const CONTEXT_MEMBER = 'forStep';

/** Whether the reply says that its step is done and gives the commands that begin the next one (`context.forStep`). */
export function beginsNextStep({ context }: Pick<AIResponse, 'context'>, next: NextStep | undefined): boolean {
  return next !== undefined && context?.[CONTEXT_MEMBER] === next.stepIndex + 1;
}

/** What is wrong with the step that a reply is for; undefined where it is the present one, or one that may be begun. */
export function stepFault(
  { context }: Pick<AIResponse, 'context'>,
  { stepIndex, nextStep }: { stepIndex: number; nextStep?: NextStep | undefined },
): string | undefined {
  const given: unknown = context?.[CONTEXT_MEMBER];
  const known = [stepIndex, ...(nextStep === undefined ? [] : [nextStep.stepIndex])].map((index) => index + 1);
  if (given === undefined || known.includes(given as number)) return undefined;
  return `context.${CONTEXT_MEMBER}: expected ${known.join(' or ')}, got ${JSON.stringify(given)}`;
}

/** The beginning of a step, in the context of the reply that has completed the step before it. */
const BegunStepSchema = z.object({ snapshotId: z.string(), row: z.custom<ReplyRow>((row) => typeof row === 'object') });

/**
 * Splits a reply that begins the next step: the row of the present step judges and runs nothing, and keeps the row of the
 * next one, which counts once the present step has completed. `begun` is the whole reply planned for the next step.
 */
export function judgingRow(turn: number, begun: ReplyRow, snapshotId: string): ReplyRow {
  const { reply, model, usage } = begun;
  const { context, ...rest } = reply;
  const { [CONTEXT_MEMBER]: _, ...kept } = context ?? {};
  const { resultValidation: _judged, ...decision } = rest.decision;
  const begins = rest.commands.length > 0 && decision.action !== DecisionAction.ABORT;
  const row = { ...begun, turn: 0, usage: NO_USAGE, reply: { ...rest, decision } };
  return {
    turn,
    model,
    usage,
    reply: {
      ...rest,
      decision: { ...rest.decision, action: DecisionAction.PROCEED },
      commands: [],
      context: { ...kept, ...(begins ? { begun: { snapshotId, row } } : {}) },
    },
    commands: [],
  };
}

/**
 * The first reply of a step that the reply which completed the step before it has given. Undefined where there is none, or
 * the page has been observed anew since.
 */
export function begunReply(before: readonly ReplyRow[], { snapshotId }: PageSnapshot): ReplyRow | undefined {
  const last = before.at(-1);
  const parsed = BegunStepSchema.safeParse(last?.reply.context?.['begun']);
  if (last === undefined || !parsed.success || parsed.data.snapshotId !== snapshotId) return undefined;
  const { decision, reasoning } = last.reply;
  const isDoubtful = decision.resultValidation?.success === false || reasoning.confidence < REFLECTION_CONFIDENCE;
  return isDoubtful ? undefined : parsed.data.row;
}
