import type { AIResponse } from '../../contracts/models/ai-response';
import { AIResponseSchema } from '../../contracts/models/ai-response';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { DecisionRequest, PastCommand, PastIteration } from '../../contracts/model-port/port';
import { decideByRules } from '../../rules/planning/decide';

/** Where a step is followed: a page that is read, and on which commands are run. */
export interface Stage {
  look(): PageSnapshot | Promise<PageSnapshot>;
  run(commands: readonly AIGeneratedCommand[], snapshot: PageSnapshot): PastCommand[] | Promise<PastCommand[]>;
  /** The variables that are known by now. */
  saved?: Readonly<Record<string, string>>;
}

/** How a step ended: the last decision, undefined where it did not end, and what was done before. */
export interface Followed {
  decision: AIResponse['decision'] | undefined;
  isDone: boolean;
  pastIterations: PastIteration[];
}

/** Follows one step by the model `rules`, without a store and without Temporal. */
export async function followStep(
  instruction: string,
  mostIterations: number,
  stage: Stage,
  more: Partial<DecisionRequest> = {},
): Promise<Followed> {
  const pastIterations: PastIteration[] = [];
  for (let iteration = 0; iteration < mostIterations; iteration += 1) {
    const snapshot = await stage.look();
    const { saved = {} } = stage;
    const reply = AIResponseSchema.parse(
      decideByRules({
        instruction,
        stepIndex: 0,
        iteration,
        maxIterations: mostIterations,
        mayAct: true,
        pastIterations,
        snapshot,
        variables: Object.keys(saved),
        variableValues: saved,
        ...more,
      }),
    );
    const { decision, commands } = reply;
    if (decision.action === 'ABORT' || commands.length === 0)
      return { decision, isDone: decision.action !== 'ABORT', pastIterations };
    pastIterations.push({ ...reply, outcomes: await stage.run(commands, snapshot) });
  }
  return { decision: undefined, isDone: false, pastIterations };
}

/** A page that nothing changes: every command is done there. */
export function stillStage(snapshot: PageSnapshot): Stage {
  return {
    look: () => snapshot,
    run: (commands) => commands.map(({ action, parameters }) => ({ action, parameters, status: 'done' as const })),
  };
}
