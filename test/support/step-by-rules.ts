import { AIResponseSchema, type AIResponse } from '../../contracts/models/ai-response';
import type { DecisionRequest, PastIteration } from '../../contracts/model-port/port';
import { durableTarget, refIn } from '../../rules/page-text/durable-target';
import { createRulesModel } from '../../rules/rules-model';
import type { StagedSession } from './browser-session';

/** Runs a step with `rules` on a page in a real Chrome: how it ends, and how often the page was left alone and read again, by the journal. */
export async function endOfStep(
  session: StagedSession,
  instruction: string,
  more: Partial<DecisionRequest> = {},
): Promise<AIResponse['decision'] & { looks: number }> {
  const pastIterations: PastIteration[] = [];
  for (;;) {
    const snapshot = await session.look();
    const place = { stepIndex: 0, iteration: pastIterations.length, maxIterations: 5, mayAct: true };
    const { signal } = new AbortController();
    const asked = createRulesModel().decide(
      { ...place, instruction, pastIterations, snapshot, variables: [], ...more },
      { signal },
    );
    const reply = AIResponseSchema.parse((await asked).reply);
    const { decision, reasoning, commands, context } = reply;
    if (commands.length === 0) {
      const outcomes = pastIterations.flatMap((iteration) => iteration.outcomes);
      return { ...decision, looks: outcomes.filter(({ action }) => action === 'WAIT_FOR').length };
    }
    const planned = session.plan(
      commands.map(({ action, parameters }) => {
        const ref = refIn(parameters.selector ?? '');
        const target = ref === undefined ? undefined : durableTarget(snapshot, ref);
        return { action, parameters, ...(target === undefined ? {} : { target }) };
      }),
    );
    await session.run(planned);
    const journal = await session.journal();
    const outcomes = planned.map(({ commandId, action, parameters }) => {
      const entry = journal.find((each) => each.commandId === commandId);
      if (entry === undefined || entry.status === 'intended') return { action, parameters, status: 'skipped' as const };
      const { status, error, evidence } = entry;
      return { action, parameters, status, ...(error && { error }), ...(evidence && { evidence }) };
    });
    pastIterations.push({ decision, reasoning, commands, context, outcomes });
  }
}
