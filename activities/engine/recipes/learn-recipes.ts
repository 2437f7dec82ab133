import { isUnread } from '../../../contracts/models/reading';
import { SessionStatus } from '../../../contracts/sessions/session';
import { canonicalJson } from '../../../contracts/json';
import { StepStatus } from '../../../contracts/steps/step-result';
import { recipeIdOf, type ProposedRecipe, type RecipeUse, type StoredRecipe } from '../../../store/recipes/recipes';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { VariableRow } from '../../../store/sessions/variables';
import type { Store } from '../../../store/store';
import { addsUnknownParts, withKnownParts } from './known-parts';
import { leaderOf, recipeRoundsOf } from './learn-step';
import { taskRounds } from './learn-task';
import { withLooks } from './proposed-check';
import { isLearntFrom, replayModeOf, type RecipePolicy } from './replay-mode';
import { recipeKey } from './recipe-key';
import { taskKey } from './repeatable-task';
import { valuesOf, variablesBefore } from './spelling';
import { stepParts } from './step-parts';

/**
 * Learns the steps of a session that has ended well, each whole or not at all, and its first task as far as it can be
 * repeated. A step that a recipe has done is learnt only
 * where an element was found by its other marks; one that recipe and model have done together, never. Repeated, it changes
 * nothing.
 */
export async function learnRecipes(store: Store, policy: RecipePolicy, sessionId: string): Promise<void> {
  const session = await store.sessions.get(sessionId);
  if (session === null || session.status !== SessionStatus.COMPLETED) return;
  const { plan } = session;
  if (!isLearntFrom(plan, policy)) return;
  const [variables, uses, results] = await Promise.all([
    store.variables.ofSession(sessionId),
    store.recipes.usesOf(sessionId),
    store.memory.stepResults(sessionId),
  ]);
  const done = new Set(
    results.filter(({ status }) => status === StepStatus.COMPLETED).map(({ stepIndex }) => stepIndex),
  );
  for (const stepIndex of plan.steps.keys()) {
    if (!done.has(stepIndex) || plan.steps[stepIndex]!.signIn === true) continue;
    const use = uses.find((each) => each.stepIndex === stepIndex);
    const learn = plan.steps[stepIndex]!.task === undefined ? learnStep : learnTask;
    await learn(store, policy, session, stepIndex, variables, use);
  }
}

async function learnStep(
  store: Store,
  policy: RecipePolicy,
  { sessionId, plan }: SessionRow,
  stepIndex: number,
  variables: readonly VariableRow[],
  use: RecipeUse | undefined,
): Promise<void> {
  const { instruction } = plan.steps[stepIndex]!;
  const all = await store.memory.repliesOf(sessionId, stepIndex);
  const replies = all.filter(({ reply }) => !isUnread(reply.context));
  const leader = leaderOf(replies);
  const model = (replies.find(({ commands }) => commands.length > 0) ?? replies[0])?.model ?? '';
  if (replayModeOf(plan, model, policy) === 'off') return;
  // What both have done together is whole only where the words of the step say so, part by part.
  const isConditional = stepParts(instruction).kind === 'conditional';
  if ((leader === 'both' && !isConditional) || (leader === 'recipe' && use?.outcome !== 'healed')) return;
  const [journal, acts, following] = await Promise.all([
    store.journal.ofStep(sessionId, stepIndex),
    store.journal.ofPersons(sessionId, stepIndex),
    store.memory.repliesOf(sessionId, stepIndex + 1),
  ]);
  const known = variablesBefore(variables, stepIndex);
  const values = valuesOf(known);
  const unspoken = valuesOf(variables);
  // A recipe that a person had to help has not done the step.
  if (acts.length > 0 && leader !== 'model') return;
  const seenAfter = following[0]?.sighting;
  const learnt = recipeRoundsOf({ instruction, replies, journal, acts, seenAfter, values, unspoken });
  const begin = replies[0]?.sighting;
  if (learnt === undefined || begin === undefined) return;
  const key = recipeKey(instruction, begin.url, known, plan);
  const rounds = withLooks(learnt, plan, stepIndex);
  await keep(store, policy, { key, rounds, source: { sessionId, stepIndex } }, use, leader);
}

/** A task is learnt from its beginning up to what can't be repeated, unless a recipe has led it without a failure. */
async function learnTask(
  store: Store,
  policy: RecipePolicy,
  { sessionId, plan }: SessionRow,
  stepIndex: number,
  variables: readonly VariableRow[],
  use: RecipeUse | undefined,
): Promise<void> {
  const [messages, journal] = await Promise.all([
    store.messages.ofStep(sessionId, stepIndex),
    store.journal.ofStep(sessionId, stepIndex),
  ]);
  const replies = messages.filter((message) => message.kind === 'reply');
  const isLed = replies.some(({ replayed }) => replayed !== undefined);
  // Absent where the task can't be repeated.
  const begin = replies[0]?.sighting;
  if (begin === undefined || (isLed && use?.outcome !== 'failed')) return;
  const known = variablesBefore(variables, stepIndex);
  const key = taskKey(plan.steps[stepIndex]!, begin.url, known, plan);
  const { instruction } = key;
  const step = { instruction, journal, values: valuesOf(known), unspoken: valuesOf(variables) };
  const rounds = taskRounds(step, replies);
  if (rounds.length > 0) await keep(store, policy, { key, rounds, source: { sessionId, stepIndex } }, use, 'model');
}

/**
 * Stores what was learnt. What a model did where the recipe that is used did not fit is a proposal until that recipe is
 * retired: one visitor may have been shown another page than all others. A part of which the recipe knew nothing yet is added.
 */
async function keep(
  store: Store,
  policy: RecipePolicy,
  { key, rounds: learnt, source }: ProposedRecipe,
  use: RecipeUse | undefined,
  leader: ReturnType<typeof leaderOf>,
): Promise<void> {
  const recipeId = recipeIdOf(key);
  // Read first: where another session leaves a version from here on, this one leaves none.
  const newest = await store.recipes.newestVersion(recipeId);
  const current = await store.recipes.get(recipeId);
  const isKnown = current !== null && current.isIntact && current.status !== 'retired';
  const rounds = isKnown ? withKnownParts(learnt, current.rounds) : learnt;
  const isSame = (version: StoredRecipe) => version.isIntact && canonicalJson(version.rounds) === canonicalJson(rounds);
  const used = current?.status === 'promoted' && current.isIntact ? current : undefined;
  const isTried = use?.recipeId === recipeId && use.version === used?.version;
  // Another session has learnt it meanwhile, which this one has not tried.
  if (used !== undefined && (!isTried || isSame(used))) return;
  const isCertain = used === undefined || leader === 'recipe' || addsUnknownParts(rounds, used.rounds);
  const isPromoted = policy.promotedBy === 'engine' && isCertain;
  const versions = await store.recipes.versions(recipeId);
  const proposed = versions.findLast((version) => version.status === 'proposed' && isSame(version));
  if (proposed === undefined) {
    // On the version that is used there is at most one proposal.
    const replaces = used !== undefined && !isPromoted ? used.version : newest;
    await store.recipes.propose({ key, rounds, source }, replaces, isPromoted);
  } else if (isPromoted)
    await store.recipes.promote(recipeId, proposed.version, { by: 'session', who: source.sessionId });
}
