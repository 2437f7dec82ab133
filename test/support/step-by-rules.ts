import { followStep } from '../../bench/harness/follow-step';
import type { AIResponse } from '../../contracts/models/ai-response';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { durableTarget, refIn } from '../../rules/page-text/durable-target';
import type { StagedSession } from './browser-session';

const MOST_ITERATIONS = 30;

/** Runs a step with `rules` on a page in a real Chrome: how it ends, and how often the page was left alone and read again, by the journal. */
export async function endOfStep(
  session: StagedSession,
  instruction: string,
  more: Partial<DecisionRequest> = {},
): Promise<AIResponse['decision'] & { looks: number }> {
  const { decision, pastIterations } = await followStep(
    instruction,
    MOST_ITERATIONS,
    {
      look: () => session.look(),
      async run(commands, snapshot) {
        const planned = session.plan(
          commands.map(({ action, parameters }) => {
            const ref = refIn(parameters.selector ?? '');
            const target = ref === undefined ? undefined : durableTarget(snapshot, ref);
            return { action, parameters, ...(target === undefined ? {} : { target }) };
          }),
        );
        await session.run(planned);
        const journal = await session.journal();
        return planned.map(({ commandId, action, parameters }) => {
          const entry = journal.find((each) => each.commandId === commandId);
          if (entry === undefined || entry.status === 'intended')
            return { action, parameters, status: 'skipped' as const };
          const { status, error, evidence } = entry;
          return { action, parameters, status, ...(error && { error }), ...(evidence && { evidence }) };
        });
      },
    },
    { maxIterations: 5, ...more },
  );
  if (decision === undefined) throw new Error(`“${instruction}” did not end in ${MOST_ITERATIONS} iterations.`);
  const outcomes = pastIterations.flatMap((iteration) => iteration.outcomes);
  return { ...decision, looks: outcomes.filter(({ action }) => action === 'WAIT_FOR').length };
}
