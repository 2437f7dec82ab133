import { EFFECT_CLASS } from '../../../../contracts/commands/commands';
import { isLostWithBrowser } from '../../../../contracts/commands/evidence';
import type { CommandOutcome, PastIteration, DecisionRequest } from '../../port';
import { mayOpenDialog, type Action } from '../grammar/intent';

/** What the earlier pastIterations of a step say about one action. */
export type ActionState =
  | { kind: 'open'; failures: number; hasWaited: boolean }
  | { kind: 'failed'; outcome: CommandOutcome; failures: number; hasWaited: boolean }
  /** A click or key press of which nobody knows whether it happened. */
  | { kind: 'unknown'; outcome: CommandOutcome }
  | { kind: 'done' };

export function actionState(action: number, pastIterations: readonly PastIteration[]): ActionState {
  let state: ActionState = { kind: 'open', failures: 0, hasWaited: false };
  for (const iteration of pastIterations) state = after(state, action, iteration);
  return state;
}

function after(state: ActionState, action: number, iteration: PastIteration): ActionState {
  if (state.kind === 'done') return state;
  const { plan, waiting, settled } = notesOf(iteration);
  if (settled.includes(action)) return { kind: 'done' };
  const counts = state.kind === 'unknown' ? { failures: 0, hasWaited: false } : state;
  const { failures, hasWaited } = counts;
  if (waiting === action) return state.kind === 'unknown' ? state : { kind: 'open', failures, hasWaited: true };
  const own = plan.flatMap((index, at) => (index === action ? [effectiveOutcome(iteration.outcomes[at])] : []));
  const repeated = own.find((outcome) => outcome?.isRepeat === true);
  // The engine did not run it again: the page is as it was when it failed.
  if (repeated !== undefined)
    return { kind: 'failed', outcome: failureOf(state, repeated), failures: failures + 1, hasWaited };
  if (own.every((outcome) => outcome === undefined || outcome.status === 'skipped')) return state;
  const unknown = own.find((outcome) => outcome?.status === 'unknown' && EFFECT_CLASS[outcome.action] === 'commit');
  if (unknown) return unknown.resolution?.happened === true ? { kind: 'done' } : { kind: 'unknown', outcome: unknown };
  const failed = own.find((outcome) => outcome?.status === 'failed');
  if (failed) return { kind: 'failed', outcome: failed, failures: failures + 1, hasWaited };
  return own.every((outcome) => outcome?.status === 'done') ? { kind: 'done' } : { kind: 'open', failures, hasWaited };
}

function failureOf(state: ActionState, repeated: CommandOutcome): CommandOutcome {
  if (state.kind === 'failed') return state.outcome;
  return {
    ...repeated,
    error: { code: 'TL004', message: 'It would only have been done again on a page that has not changed.' },
  };
}

/** The pastIterations of this try of the step; what failed in an earlier one may do better now. */
export function iterationsOfThisTry({
  pastIterations,
  triedFrom = 0,
}: Pick<DecisionRequest, 'pastIterations' | 'triedFrom'>): readonly PastIteration[] {
  return triedFrom === 0 ? pastIterations : pastIterations.filter(({ turn = 0 }) => turn >= triedFrom);
}

/**
 * What was done in a browser that is gone was not done, except for what nobody may repeat. And what is known not to have
 * happened is still to be done.
 */
function effectiveOutcome(outcome: CommandOutcome | undefined): CommandOutcome | undefined {
  if (outcome?.resolution?.happened === false) return undefined;
  const isLost =
    outcome !== undefined && isLostWithBrowser(outcome.evidence) && EFFECT_CLASS[outcome.action] !== 'commit';
  return isLost ? undefined : outcome;
}

/** The notes that this model left in the context of its own replies; anything else there is ignored. */
export function notesOf(iteration: PastIteration): { plan: number[]; waiting: number | undefined; settled: number[] } {
  const { plan, waiting, settled } = iteration.context ?? {};
  return { plan: numbers(plan), waiting: typeof waiting === 'number' ? waiting : undefined, settled: numbers(settled) };
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map((entry) => (typeof entry === 'number' ? entry : -1)) : [];
}

/** The first action that is not done; the number of actions when all are. */
export function firstOpenAction(actions: readonly Action[], pastIterations: readonly PastIteration[]): number {
  const isDone = actions.map((_, index) => actionState(index, pastIterations).kind === 'done');
  // The answer to a dialog is spent with the click it was given for, so it is given again with every further try.
  const open = isDone.findIndex((done, index) => !done || (answersNextAction(actions, index) && !isDone[index + 1]));
  return open === -1 ? actions.length : open;
}

/** True for the answer to a dialog that the next action opens. */
export function answersNextAction(actions: readonly Action[], index: number): boolean {
  return actions[index]?.intent.kind === 'dialog' && mayOpenDialog(actions[index + 1]?.intent);
}
