import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { isPage, toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { Replayed } from '../../../contracts/recipes/in-reply';
import type { RecipeRound } from '../../../contracts/recipes/recipe';
import { maxStepsOf } from '../../../contracts/results/extract-words';
import type { Step } from '../../../contracts/sessions/step-input';
import type { ReplyMessage } from '../../../store/models/messages';
import { recipeIdOf, type RecipeOutcome, type StoredRecipe } from '../../../store/recipes/recipes';
import type { Store } from '../../../store/store';
import { BLANK_SNAPSHOT } from '../../../contracts/browsers/page-snapshot';
import type { GeneratedCall } from '../../../contracts/model-port/language-model';
import type { ModelTurnInput } from '../../signatures/task-activities';
import { earlierTurns } from '../models/earlier-turns';
import { differenceOf } from './check-effect';
import { hasHappened, takenOverRecord, whyUndone } from './divergence';
import { findRecipeTarget } from './find-target';
import { readingOf } from './reading';
import { taskKey, taskReplayMode } from './repeatable-task';
import type { RecipePolicy } from './replay-mode';
import { valuesOf, variablesBefore, type Values } from './spelling';
import { REF_ARGUMENTS } from './task-sighting';

/** Time for a page that does not read as it did yet, and for a text that has not come. */
const WAIT_SECONDS = 1;
const TEXT_SECONDS = 5;
/** Turns beside those of the recipe: for a page that is late, and for the model, which answers. */
const SPARE_TURNS = 3;

/** A turn of a task that is begun, or has to be gone on with, by a recipe. */
type TaskTurn =
  | { kind: 'calls'; text: string; calls: GeneratedCall[]; replayed: Replayed }
  /** The model goes on from here; the note says what was done without it. */
  | { kind: 'taken-over'; note: string };

interface Place {
  snapshot: PageSnapshot;
  values: Values;
  recipe: StoredRecipe;
}

type Next =
  | Exclude<TaskTurn, { kind: 'taken-over' }>
  | { kind: 'ended'; outcome: RecipeOutcome }
  /** With what became of the recipe, where the page has said that. */
  | { kind: 'diverged'; why: string; outcome?: RecipeOutcome | undefined };

/**
 * The calls of the next turn of a task, by a recipe, as far as the page says word for word what it said to the model whose
 * session left the recipe. Undefined where a model leads the task. The model gives the answer in any case.
 */
export async function replayTask(
  { store, recipePolicy }: { store: Store; recipePolicy?: RecipePolicy | undefined },
  input: ModelTurnInput & { step: Step },
): Promise<TaskTurn | undefined> {
  const { sessionId, stepIndex, turn, step } = input;
  const { model } = step.options.aiConfig;
  const last = turn === 0 ? null : await store.messages.reply({ sessionId, stepIndex, turn: turn - 1 });
  if (turn > 0 && last?.replayed === undefined) return undefined;
  const session = await store.sessions.get(sessionId);
  if (session === null || taskReplayMode(session.plan, stepIndex, model, recipePolicy) !== 'prefer') return undefined;
  const [variables, newest] = await Promise.all([
    store.variables.ofSession(sessionId),
    store.memory.snapshot(sessionId),
  ]);
  const known = variablesBefore(variables, stepIndex);
  const snapshot = newest ?? BLANK_SNAPSHOT;
  const recipe =
    last === null
      ? await store.recipes.promoted(recipeIdOf(taskKey(step, snapshot.url, known, session.plan)))
      : await store.recipes.get(last.replayed!.recipeId, last.replayed!.version);
  if (recipe === null) return last === null ? undefined : { kind: 'taken-over', note: TAKEN_OVER };
  const place: Place = { snapshot, values: valuesOf(known), recipe };
  const turnsLeft = maxStepsOf(step, session.plan.config.agent) - turn;
  if (last === null && turnsLeft < recipe.rounds.length + SPARE_TURNS) return undefined;

  const next = turnsLeft < 2 ? OUT_OF_TURNS : await nextTurn(store, input, place, last);
  if (next.kind === 'calls') return next;
  const { recipeId, version } = recipe;
  const { outcome } = next;
  if (outcome !== undefined) await store.recipes.noteUse(sessionId, { stepIndex, recipeId, version, outcome });
  if (next.kind === 'diverged') await store.log.append(sessionId, [takenOverRecord(input, { ...next, recipe })]);
  return last === null ? undefined : { kind: 'taken-over', note: TAKEN_OVER };
}

const TAKEN_OVER =
  'The calls of this task so far were repeated from an earlier session; their results say what came of them. Go on from the page as it is now; where the task is done, call done with its answer.';
const OUT_OF_TURNS: Next = { kind: 'diverged', why: 'the task has hardly any turns left' };

async function nextTurn(
  store: Store,
  { sessionId, stepIndex, ends, notes }: ModelTurnInput,
  place: Place,
  last: ReplyMessage | null,
): Promise<Next> {
  const { recipe, snapshot, values } = place;
  const at = last?.replayed?.round ?? 0;
  if (!recipe.isIntact) return { kind: 'diverged', why: 'it was changed by hand', outcome: 'failed' };
  if (notes.length > 0 || last?.edited !== undefined) return { kind: 'diverged', why: 'there is news for the model' };
  if (last === null) return planned(place, at, true);
  const replies = (await store.messages.ofStep(sessionId, stepIndex)).filter((message) => message.kind === 'reply');
  const acted = replies.findLast(({ replayed }) => replayed?.isWaiting === undefined);
  // It has waited for what the round begins with.
  if (acted?.replayed?.round !== at) return planned(place, at, false);
  const turns = await earlierTurns(store, sessionId, stepIndex);
  const { calls = [], outcomes = [] } = turns.find(({ turn }) => turn === acted.turn) ?? {};
  const undone = outcomes.findIndex((outcome) => !hasHappened(outcome));
  if (undone !== -1) {
    const { why, isOfPage } = whyUndone(calls[undone]!, outcomes[undone]!, outcomes[undone]!.status === 'unknown');
    return { kind: 'diverged', why, outcome: isOfPage === true ? 'failed' : undefined };
  }
  if (ends.some(({ status }) => status !== 'success')) return { kind: 'diverged', why: 'a call was not run' };
  const evidence = outcomes.map((outcome) => outcome.evidence);
  const difference = differenceOf(recipe.rounds[at]!.after, snapshot, evidence, values);
  if (difference === undefined) return planned(place, at + 1, true);
  const mayWait = last.replayed?.isWaiting !== true && !difference.why.startsWith('the request');
  return mayWait ? waiting(place, at, difference.text) : { kind: 'diverged', why: difference.why, outcome: 'failed' };
}

/** The calls of a round where the page says what it said then; some time for it where it may be late. */
function planned(place: Place, at: number, mayWait: boolean): Next {
  const { recipe, snapshot, values } = place;
  const round = recipe.rounds[at];
  if (round === undefined) return { kind: 'ended', outcome: 'used' };
  const shown = toPagePattern(snapshot.url, values);
  if (!isPage(round.page, shown) || round.reads !== readingOf(snapshot, values)) {
    // A task begins on a page that has been there for a while.
    if (mayWait && at > 0) return waiting(place, at);
    // A page that says something new is no failure of a recipe that has done its greater part.
    const outcome = at * 2 < recipe.rounds.length ? 'failed' : 'used';
    return { kind: 'diverged', why: `${shown} does not say what it said then, word for word`, outcome };
  }
  const calls = callsOf(snapshot, round);
  if (typeof calls === 'string') return { kind: 'diverged', why: calls, outcome: 'failed' };
  return { kind: 'calls', text: round.says ?? '', calls, replayed: { ...versionOf(recipe), round: at } };
}

function waiting({ recipe }: Place, at: number, text?: string): Next {
  // Numbers of patterns are none of the page.
  const [words = ''] = (text ?? '').split('#').sort((one, other) => other.length - one.length);
  const args = words.trim() === '' ? { seconds: WAIT_SECONDS } : { text: words.trim(), seconds: TEXT_SECONDS };
  const calls = [{ name: 'wait', args: JSON.stringify(args) }];
  return { kind: 'calls', text: '', calls, replayed: { ...versionOf(recipe), round: at, isWaiting: true } };
}

function versionOf({ recipeId, version }: StoredRecipe): Pick<Replayed, 'recipeId' | 'version'> {
  return { recipeId, version };
}

/** Its calls with the refs of this page, or why there are none. */
function callsOf(snapshot: PageSnapshot, { commands }: RecipeRound): GeneratedCall[] | string {
  const calls: GeneratedCall[] = [];
  for (const { tool, ...command } of commands) {
    if (tool === undefined) return 'it does not have the calls of its commands';
    const args = { ...tool.args };
    for (const [member, argument] of Object.entries(REF_ARGUMENTS) as [keyof typeof REF_ARGUMENTS, string][]) {
      const wanted = command[member];
      if (wanted === undefined) continue;
      const found = findRecipeTarget(snapshot, wanted);
      if (found.kind === 'unsure') return found.why;
      args[argument] = found.ref;
    }
    calls.push({ name: tool.name, args: JSON.stringify(args) });
  }
  return calls;
}
