import { EFFECT_CLASS } from '../../contracts/commands/commands';
import { isEffectLost, pageStatus } from '../../contracts/commands/evidence';
import type { PastCommand, PastIteration, DecisionRequest } from '../../contracts/model-port/port';
import { mayOpenDialog, type Action } from '../language/intent';

/** The state of one action after the past iterations of a step. */
export type ActionState =
  | { kind: 'open'; failures: number; hasWaited: boolean }
  | { kind: 'failed'; outcome: PastCommand; failures: number; hasWaited: boolean }
  /** A click or key press that may or may not have happened. */
  | { kind: 'unknown'; outcome: PastCommand }
  | { kind: 'done' };

export function actionState(action: number, pastIterations: readonly PastIteration[]): ActionState {
  let state: ActionState = { kind: 'open', failures: 0, hasWaited: false };
  for (const iteration of pastIterations) state = nextState(state, action, iteration);
  return state;
}

function nextState(state: ActionState, action: number, iteration: PastIteration): ActionState {
  if (state.kind === 'done') return state;
  const { plan, waiting, settled, skipped, repeats } = notesOf(iteration);
  if (settled.includes(action) || skipped.includes(action)) return { kind: 'done' };
  const counts = state.kind === 'unknown' ? { failures: 0, hasWaited: false } : state;
  const { failures, hasWaited } = counts;
  if (waiting === action) return state.kind === 'unknown' ? state : { kind: 'open', failures, hasWaited: true };
  const own = plan.flatMap((index, at) => (index === action ? [effectiveOutcome(iteration.outcomes[at])] : []));
  const repeated = own.find((outcome) => outcome?.isRepeat === true);
  // The engine skipped the repetition: the page is unchanged since the failure.
  if (repeated !== undefined)
    return { kind: 'failed', outcome: failureOf(state, repeated), failures: failures + 1, hasWaited };
  if (own.every((outcome) => outcome === undefined || outcome.status === 'skipped')) return state;
  const unknown = own.find((outcome) => outcome?.status === 'unknown');
  if (unknown) return unknown.resolution?.happened === true ? { kind: 'done' } : { kind: 'unknown', outcome: unknown };
  const failed = own.find((outcome) => outcome?.status === 'failed');
  if (failed) return { kind: 'failed', outcome: failed, failures: failures + 1, hasWaited };
  const isDone = own.every((outcome) => outcome?.status === 'done') && !repeats.includes(action);
  return isDone ? { kind: 'done' } : { kind: 'open', failures, hasWaited };
}

function failureOf(state: ActionState, repeated: PastCommand): PastCommand {
  if (state.kind === 'failed') return state.outcome;
  return {
    ...repeated,
    error: { code: 'TL004', message: 'The command was skipped because the page has not changed since it ran.' },
  };
}

/** The iterations of this try of the step. An action that failed in an earlier try may succeed now. */
export function iterationsOfThisTry<Iteration extends Pick<PastIteration, 'turn'>>({
  pastIterations,
  triedFrom = 0,
}: {
  pastIterations: readonly Iteration[];
  triedFrom?: DecisionRequest['triedFrom'];
}): readonly Iteration[] {
  return triedFrom === 0 ? pastIterations : pastIterations.filter(({ turn = 0 }) => turn >= triedFrom);
}

/** In another try, an address that the site has answered with an error is opened again. */
export function withErrorPagesToOpen(request: DecisionRequest): DecisionRequest {
  const { triedFrom = 0, pastIterations } = request;
  if (triedFrom === 0) return request;
  return {
    ...request,
    pastIterations: pastIterations.map((iteration) =>
      (iteration.turn ?? 0) >= triedFrom
        ? iteration
        : {
            ...iteration,
            outcomes: iteration.outcomes.map((outcome) =>
              isErrorPage(outcome) ? { ...outcome, status: 'skipped' as const } : outcome,
            ),
          },
    ),
  };
}

function isErrorPage({ action, evidence }: PastCommand): boolean {
  return action === 'OPEN_PAGE' && (pageStatus(evidence) ?? 0) >= 400;
}

/**
 * The outcome, if its effect still exists. Undefined for a command that did not happen, and for one that was lost with its
 * browser; a commit counts even then, because it must not be repeated.
 */
function effectiveOutcome(outcome: PastCommand | undefined): PastCommand | undefined {
  if (outcome?.resolution?.happened === false) return undefined;
  const isLost = outcome !== undefined && isEffectLost(outcome.evidence) && EFFECT_CLASS[outcome.action] !== 'commit';
  return isLost ? undefined : outcome;
}

/** What this model notes in the context of its replies. */
export interface Notes {
  /** The action that each command belongs to. */
  plan: number[];
  waiting: number | undefined;
  settled: number[];
  /** Actions that had not to be done: their condition was not so, or what they ask for was so already. */
  skipped: number[];
  /** Actions that are done again until their end is there. */
  repeats: number[];
  /** What the search for something opened in this iteration, and how many of it the page had that was left with that. */
  opened: { key: string; count: number } | undefined;
  /** Actions that the page showed to be several. */
  splits: { index: number; pieces: string[]; used: string[] }[];
}

/** Reads the notes, and ignores other members. */
export function notesOf({ context = {} }: Pick<PastIteration, 'context'>): Notes {
  const { plan, waiting, settled, skipped, repeats, opened, splits } = context;
  const { key, count } = (opened ?? {}) as { key?: unknown; count?: unknown };
  return {
    plan: numbers(plan),
    waiting: typeof waiting === 'number' ? waiting : undefined,
    settled: numbers(settled),
    skipped: numbers(skipped),
    repeats: numbers(repeats),
    opened: typeof key === 'string' ? { key, count: typeof count === 'number' ? count : 0 } : undefined,
    splits: Array.isArray(splits) ? splits.filter(isSplit) : [],
  };
}

function isSplit(value: unknown): value is Notes['splits'][number] {
  const { index, pieces, used } = (value ?? {}) as Partial<Notes['splits'][number]>;
  const areTexts = (texts: unknown): boolean => Array.isArray(texts) && texts.every((text) => typeof text === 'string');
  return typeof index === 'number' && areTexts(pieces) && areTexts(used);
}

/** What the search of this action has opened so far. */
export function openedBy(action: number, pastIterations: readonly PastIteration[]): { key: string; count: number }[] {
  return pastIterations.flatMap((iteration) => {
    const { repeats, opened } = notesOf(iteration);
    return opened && repeats.includes(action) ? [opened] : [];
  });
}

/** How often a repeated action was done. */
export function roundsOf(action: number, pastIterations: readonly PastIteration[]): number {
  return pastIterations.filter((iteration) => {
    const { plan, repeats } = notesOf(iteration);
    return repeats.includes(action) && iteration.outcomes[plan.indexOf(action)]?.status === 'done';
  }).length;
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map((entry) => (typeof entry === 'number' ? entry : -1)) : [];
}

/** The index of the first action that is not done; the number of actions when all are done. */
export function firstOpenAction(actions: readonly Action[], pastIterations: readonly PastIteration[]): number {
  const isDone = actions.map((_, index) => actionState(index, pastIterations).kind === 'done');
  // An answer to a dialog is valid for one click, so it is given again with each try of the click.
  const open = isDone.findIndex((done, index) => !done || (answersNextAction(actions, index) && !isDone[index + 1]));
  return open === -1 ? actions.length : open;
}

/** Whether the action answers a dialog that the next action opens. */
export function answersNextAction(actions: readonly Action[], index: number): boolean {
  return actions[index]?.intent.kind === 'dialog' && mayOpenDialog(actions[index + 1]?.intent);
}
