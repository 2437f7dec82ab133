import type { AIResponse } from '../../contracts/models/ai-response';
import { AIResponseSchema } from '../../contracts/models/ai-response';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { DecisionRequest, PastCommand, PastIteration } from '../../contracts/model-port/port';
import { isUnread, readingIn } from '../../contracts/models/reading';
import { decideByRules } from '../../rules/planning/decide';

/** Where a step is followed: a page that is read, and on which commands are run. */
export interface Stage {
  look(): PageSnapshot | Promise<PageSnapshot>;
  run(commands: readonly AIGeneratedCommand[], snapshot: PageSnapshot): PastCommand[] | Promise<PastCommand[]>;
  /** Has a model say a step that `rules` could not read, in their words. */
  read?(request: DecisionRequest): Promise<AIResponse>;
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
  let pastIterations: PastIteration[] = [];
  let read = instruction;
  for (let iteration = 0; iteration < mostIterations; iteration += 1) {
    const snapshot = await stage.look();
    const { saved = {} } = stage;
    const request = {
      instruction: read,
      stepIndex: 0,
      iteration,
      maxIterations: mostIterations,
      mayAct: true,
      pastIterations,
      snapshot,
      variables: Object.keys(saved),
      variableValues: saved,
      ...more,
    };
    let reply = AIResponseSchema.parse(decideByRules(request));
    const isRead = read !== instruction || stage.read === undefined || !isUnread(reply.context);
    const said = isRead ? undefined : await stage.read?.(request);
    const step = readingIn(said?.context);
    if (said !== undefined && step !== undefined) {
      reply = said;
      read = step;
      // What the rules looked for in the person's words is no part of the step as it was read.
      pastIterations = [];
    }
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
