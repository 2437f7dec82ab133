import { COMMANDS } from '../../contracts/commands/commands';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { outcomeProblems, type OutcomeProblem } from '../../rules/planning/outcome-problems';
import type { Store } from '../../store/store';

/** The most steps that follow whose expectations are known. */
const MOST_LATER_STEPS = 5;

type Policy = NonNullable<DecisionRequest['outcomes']>;

/**
 * Lists what the page says against the command of a step that has acted last, by its journal: where no model is asked for a
 * judgement, or one claims that a task is done. `turn` limits it to the commands of one reply.
 */
export async function stepProblems(
  store: Store,
  { sessionId, stepIndex, turn }: { sessionId: string; stepIndex: number; turn?: number },
  snapshot: PageSnapshot | null,
): Promise<Record<Exclude<Policy[keyof Policy], 'ignore'>, OutcomeProblem[]>> {
  const [session, journal] = await Promise.all([
    store.sessions.get(sessionId),
    store.journal.ofStep(sessionId, stepIndex),
  ]);
  const acted = journal.filter((entry) => entry.status === 'done' && !COMMANDS[entry.action].onlyLooks);
  const last = turn === undefined ? acted.slice(-1) : acted.filter((entry) => entry.turn === turn);
  const steps = session?.plan.steps ?? [];
  if (last.length === 0 || snapshot === null || session === null) return { fail: [], warn: [] };
  const outcomes = last.map(({ action, parameters, evidence }) => ({
    action,
    parameters,
    status: 'done' as const,
    ...(evidence === undefined ? {} : { evidence }),
  }));
  const judged = {
    instruction: steps[stepIndex]?.instruction ?? '',
    laterSteps: steps.slice(stepIndex + 1, stepIndex + 1 + MOST_LATER_STEPS).map(({ instruction }) => instruction),
    pastIterations: [{ outcomes }],
    snapshot,
    outcomes: session.plan.config.outcomes,
  };
  return { fail: outcomeProblems(judged, 'fail'), warn: outcomeProblems(judged, 'warn') };
}
