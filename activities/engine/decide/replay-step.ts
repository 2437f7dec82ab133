import { isUnread } from '../../../contracts/models/reading';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { conditionText, MOST_REPETITIONS } from '../../../contracts/recipes/condition';
import { inContext, replayedIn, type Replayed } from '../../../contracts/recipes/in-reply';
import { isPage, toPagePattern } from '../../../contracts/recipes/page-pattern';
import { REPLAY_DIVERGED, type ReplayMode } from '../../../contracts/recipes/replay-mode';
import type { Recipe, RecipeKey, RecipeRound } from '../../../contracts/recipes/recipe';
import { recipeIdOf, type RecipeOutcome } from '../../../store/recipes/recipes';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { Store } from '../../../store/store';
import { fingerprintOf } from '../../recorded/fingerprint';
import type { DecideInput } from '../../signatures/engine-activities';
import { EngineError } from '../../activity/failures';
import type { AssembledRequest } from './decision-request';
import type { PastCommand } from '../../../contracts/model-port/port';
import { differenceAfter } from '../recipes/difference-after';
import { hasHappened, takenOverRecord, whyUndone, type Divergence } from '../recipes/divergence';
import { outcomeProblems } from '../../../rules/planning/outcome-problems';
import { planPart } from '../recipes/plan-part';
import { namesUsed, type RoundPlace } from '../recipes/plan-round';
import { DEFAULT_RECIPE_POLICY, replayModeOf, type RecipePolicy } from '../recipes/replay-mode';
import { replayReply, type ReplayedTurn } from '../recipes/replay-reply';
import { recipeKey } from '../recipes/recipe-key';
import { valuesOf, variablesBefore, type Values } from '../recipes/spelling';

type NextReply =
  { kind: 'reply'; row: ReplyRow; outcome?: RecipeOutcome | undefined } | ({ kind: 'diverged' } & Divergence);

interface Place {
  input: DecideInput;
  snapshot: PageSnapshot;
  values: Values;
  key: RecipeKey;
  mode: ReplayMode;
  /** The instruction of the step after this one. */
  next: string | undefined;
}

/**
 * The reply that a recipe gives in place of a model: the commands of its next round where the page has what they need, the
 * end of the step where what had to follow is there. Undefined where a model has to decide. With `replay: only` none does:
 * the step fails.
 */
export async function replayStep(
  { store, recipePolicy = DEFAULT_RECIPE_POLICY }: { store: Store; recipePolicy?: RecipePolicy | undefined },
  input: DecideInput,
  assembled: AssembledRequest,
): Promise<ReplyRow | undefined> {
  const { sessionId, stepIndex, step } = input;
  const { session, variables, request } = assembled;
  const mode = replayModeOf(session?.plan, step.options.aiConfig.model, recipePolicy);
  if (mode === 'off') return undefined;
  const known = variablesBefore(variables, stepIndex);
  const key = recipeKey(step.instruction, request.snapshot.url, known, session?.plan);
  const place: Place = {
    input,
    snapshot: request.snapshot,
    values: valuesOf(known),
    key,
    mode,
    next: request.laterSteps?.[0],
  };
  const next = await nextReply(store, place, assembled);
  if (next === undefined) {
    if (mode === 'only') throw divergedError({ why: 'a model has taken it over before' });
    return undefined;
  }
  const { recipeId, version } = (next.kind === 'reply' ? replayedIn(next.row.reply.context) : next.recipe) ?? {};
  const outcome = next.kind === 'reply' ? next.outcome : next.isOfPage === true ? 'failed' : undefined;
  if (outcome !== undefined && recipeId !== undefined && version !== undefined)
    await store.recipes.noteUse(sessionId, { stepIndex, recipeId, version, outcome });
  if (next.kind === 'reply') return await store.memory.saveReply(sessionId, stepIndex, next.row);
  if (mode === 'only') throw divergedError(next);
  if (next.recipe !== undefined) await store.log.append(sessionId, [takenOverRecord(input, next)]);
  return undefined;
}

/** Undefined where a model leads this step already. */
async function nextReply(store: Store, place: Place, assembled: AssembledRequest): Promise<NextReply | undefined> {
  const { input } = place;
  const { history, request, unknownCommits } = assembled;
  const before = history.replies.filter(({ turn, reply }) => turn < input.turn && !isUnread(reply.context));
  const last = before.at(-1);
  if (last === undefined) return await beginStep(store, place);
  const replayed = replayedIn(last.reply.context);
  if (replayed === undefined || before.some(({ reply }) => replayedIn(reply.context) === undefined)) return undefined;
  const recipe = await store.recipes.get(replayed.recipeId, replayed.version);
  const round = recipe?.rounds[replayed.round];
  if (recipe === null || round === undefined || !recipe.isIntact)
    return { kind: 'diverged', why: 'the recipe was deleted or changed meanwhile' };
  const isHealed = before.some(({ reply }) => replayedIn(reply.context)?.isHealed === true);
  const acted = before.findLast(({ reply }) => replayedIn(reply.context)?.isWaiting === undefined);
  const hasActed = acted !== undefined && replayedIn(acted.reply.context)?.round === replayed.round;
  // It has waited for what the round begins with.
  if (!hasActed) return planned(place, recipe, replayed.round, { isHealed, mayWait: false });
  const outcomes = request.pastIterations.find(({ turn }) => turn === acted.turn)?.outcomes ?? [];
  const runs = before.filter(({ reply }) => isRunOf(replayed.round, reply.context));
  return judged(place, recipe, replayed.round, {
    outcomes,
    isHealed,
    mayWait: replayed.isWaiting !== true,
    isUnknown: unknownCommits.length > 0,
    count: runs.length,
    hasChanged: acted.snapshotDigest !== fingerprintOf(request.snapshot),
    problem: outcomeProblems(request, 'fail')[0]?.message,
  });
}

function isRunOf(round: number, context: Record<string, unknown> | undefined): boolean {
  const replayed = replayedIn(context);
  return replayed?.round === round && replayed.isWaiting === undefined;
}

async function beginStep(store: Store, place: Place): Promise<NextReply> {
  const { input, key } = place;
  if (input.triedFrom !== undefined) return { kind: 'diverged', why: 'it has failed before and is tried again' };
  const recipe = await store.recipes.promoted(recipeIdOf(key));
  if (recipe === null) return { kind: 'diverged', why: `there is no recipe of it on ${key.page}` };
  if (!recipe.isIntact) return { kind: 'diverged', why: 'its recipe was changed by hand', recipe, isOfPage: true };
  return planned(place, recipe, 0, { isHealed: false, mayWait: true });
}

/** The commands of a round, where the page has all that they need; or some time for the page to show it. */
function planned(
  place: Place,
  recipe: Recipe,
  at: number,
  { isHealed, mayWait }: { isHealed: boolean; mayWait: boolean },
): NextReply {
  const { input, snapshot, values } = place;
  const round = recipe.rounds[at];
  if (round === undefined) {
    const here = { round: recipe.rounds.length - 1, ...(isHealed ? { isHealed: true as const } : {}) };
    const row = rowOf(place, recipe, here, { kind: 'end' });
    return { kind: 'reply', row, outcome: isHealed ? 'healed' : 'used' };
  }
  const diverged = (why: string): NextReply => ({ kind: 'diverged', why, recipe, isOfPage: true });
  const waiting = (turn: ReplayedTurn): NextReply =>
    input.mayAct
      ? { kind: 'reply', row: rowOf(place, recipe, { round: at, isWaiting: true }, turn) }
      : { kind: 'diverged', why: OUT_OF_ITERATIONS, recipe };
  const shown = toPagePattern(snapshot.url, values);
  if (!isPage(round.page, shown))
    return mayWait ? waiting({ kind: 'wait', text: '' }) : diverged(`the page is ${shown} in place of ${round.page}`);
  const part = planPart(snapshot, roundPlace(place, recipe), round, { values, mayWait });
  switch (part.kind) {
    case 'skip':
      return planned(place, recipe, afterGroup(recipe, at), { isHealed, mayWait: true });
    case 'wait':
      return waiting({ kind: 'wait', text: part.text, isForCondition: true });
    case 'unclear': {
      const { isAbsent, absent = '' } = part.plan;
      return mayWait && isAbsent ? waiting({ kind: 'wait', text: absent }) : diverged(part.why);
    }
    case 'do': {
      const { plan } = part;
      const healed = isHealed || plan.isHealed ? { isHealed: true as const } : {};
      return input.mayAct
        ? {
            kind: 'reply',
            row: rowOf(place, recipe, { round: at, ...healed }, { kind: 'act', plan }, partNotes(round)),
          }
        : { kind: 'diverged', why: OUT_OF_ITERATIONS, recipe };
    }
  }
}

const OUT_OF_ITERATIONS = 'the step has used up its iterations';

/** The round after this one and those that go with it. */
function afterGroup({ rounds }: Recipe, at: number): number {
  const end = rounds.findIndex(({ isJoined }, index) => index > at && isJoined !== true);
  return end === -1 ? rounds.length : end;
}

function roundPlace({ input }: Place, { rounds }: Recipe): RoundPlace {
  return { ...input, namesUsed: namesUsed(rounds) };
}

/** The rules know by it what is done, should they take the step over. */
function partNotes({ commands }: RecipeRound): { plan?: number[] } {
  const parts = commands.flatMap(({ part }) => part ?? []);
  return parts.length < commands.length ? {} : { plan: parts };
}

function rowOf(
  { input, snapshot, next }: Place,
  recipe: Recipe,
  replayed: Omit<Replayed, 'recipeId' | 'version'>,
  turn: ReplayedTurn,
  notes: Record<string, unknown> = {},
): ReplyRow {
  const { recipeId, version } = recipe;
  const context = { ...inContext({ recipeId, version, ...replayed }), ...notes };
  return replayReply(input, snapshot, recipe, context, turn, next);
}

/** What follows once the commands of a round have run: the next round, the end of the step, or some time for the page. */
function judged(
  place: Place,
  recipe: Recipe,
  at: number,
  facts: {
    outcomes: readonly PastCommand[];
    isHealed: boolean;
    mayWait: boolean;
    isUnknown: boolean;
    /** How often the round has run. */
    count: number;
    /** The page reads otherwise than before it ran. */
    hasChanged: boolean;
    /** What the page says against what was done. */
    problem: string | undefined;
  },
): NextReply {
  const { input, snapshot, values } = place;
  const { outcomes, isHealed, mayWait, isUnknown } = facts;
  const round: RecipeRound = recipe.rounds[at]!;
  const undone = outcomes.find((outcome) => !hasHappened(outcome));
  const evidence = outcomes.map((outcome) => outcome.evidence);
  if (undone !== undefined) return { kind: 'diverged', ...whyUndone(undone.action, undone, isUnknown), recipe };
  // Without a model only a person can say what became of it.
  if (isUnknown) return { kind: 'diverged', why: 'nobody saw what came of a command', recipe };
  if (facts.problem !== undefined) return { kind: 'diverged', why: facts.problem, recipe };
  const difference = differenceAfter(snapshot, roundPlace(place, recipe), round, {
    evidence,
    values,
    hasChanged: facts.hasChanged,
  });
  if (difference === 'again') {
    if (facts.count < (round.most ?? MOST_REPETITIONS)) return planned(place, recipe, at, { isHealed, mayWait });
    const why = `Done ${facts.count} times, and not yet ${conditionText(round.until!)}.`;
    if (place.mode === 'only') return { kind: 'diverged', why, recipe };
    return { kind: 'reply', row: rowOf(place, recipe, { round: at }, { kind: 'give-up', why }) };
  }
  if (difference === undefined) return planned(place, recipe, at + 1, { isHealed, mayWait: true });
  if (!mayWait || !input.mayAct || difference.why.startsWith('the request') || evidence.length === 0)
    return { kind: 'diverged', why: difference.why, recipe, isOfPage: true };
  const row = rowOf(place, recipe, { round: at, isWaiting: true }, { kind: 'wait', text: difference.text ?? '' });
  return { kind: 'reply', row };
}

function divergedError({ why, recipe }: Divergence): EngineError {
  const { recipeId, version } = recipe ?? {};
  const which = recipeId === undefined ? 'The step can not be replayed' : `Recipe ${recipeId} does not do the step`;
  return new EngineError('TL004', `${which}: ${why}. No model was called (replay: only).`, {
    details: { kind: REPLAY_DIVERGED, ...(recipeId === undefined ? {} : { recipeId, version }) },
    suggestedAction: 'Run the session once with replay: prefer; when it ends well, it leaves a recipe that fits.',
    isFinal: true,
  });
}
