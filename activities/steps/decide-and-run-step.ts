import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { NewRecord } from '../../contracts/events/log';
import type { OutboxBatch } from '../../contracts/events/outbox';
import { createRulesModel } from '../../rules/rules-model';
import type { ActivityCall } from '../activity/activity';
import type { BrowserDeps } from '../browser/attach/browser-deps';
import { runCommands } from '../browser/commands/run-commands';
import { reachDecision, reachFreeDecision } from '../engine/decide/decide';
import type { DecideDeps } from '../engine/decide/request-decision';
import type { RecipePolicy } from '../engine/recipes/replay-mode';
import type { DecideAndRunInput, DecideAndRunOutput, RunCommandsOutput } from '../signatures/browser-activities';
import type { DecideOutput } from '../signatures/engine-activities';
import { isOnlyToBeJudged, isRunAtOnce } from './at-once';

export interface DecideAndRunDeps extends BrowserDeps {
  /** SUREFOOT_REPLAY and SUREFOOT_RECIPES_PROMOTED_BY of this worker. */
  recipePolicy?: RecipePolicy | undefined;
}

/** A step alone. */
export type OneStep = Omit<DecideAndRunInput, 'ahead'>;
export type StepOutput = Omit<DecideAndRunOutput, 'followed'>;

/** The workflow's outbox went with the first decision, and the records of a decision go with its commands. */
export const WRITTEN: OutboxBatch = { records: [], patch: {}, stepResults: [] };

const RULES = createRulesModel();

/**
 * Has `rules` or a recipe decide on the next commands of a step, runs them on the page that is here, and has it judge what
 * they have led to. Empty where a model has to be asked. Running it again is safe at any moment, as it is for each part: a
 * reply is stored before its commands are run, and the journal has what they have done.
 * @param isTimeFor says whether there is time for these commands; where there is not, the step is only decided
 */
export async function decideAndRunStep(
  { recipePolicy, ...deps }: DecideAndRunDeps,
  { lease, executor, judgesPage, once, judges, ...asked }: OneStep,
  call: ActivityCall,
  isTimeFor: (commands: readonly PlannedCommand[]) => boolean = () => true,
): Promise<StepOutput> {
  const deciding: DecideDeps = { store: deps.store, recipePolicy, resolveModel: () => RULES, pricing: () => undefined };
  const isOfRules = asked.step.options.aiConfig.model === 'rules' || asked.reading === 'followed';
  const reach = isOfRules ? reachDecision : reachFreeDecision;
  const reached = await reach(deciding, asked, call);
  if (reached === undefined) return {};
  const { output: decided, records, newestStep } = reached;
  const { sessionId, stepIndex, turn } = asked;
  const log = (of: NewRecord[]) => deps.store.log.append(sessionId, of, { guard: { runId: call.runId } });
  if (!isRunAtOnce(decided, asked.mayAct) || !isTimeFor(decided.commands)) {
    await log(records);
    return { decided };
  }
  const ran =
    newestStep > stepIndex
      ? await ranBefore(deps, { sessionId, stepIndex, lease }, decided)
      : await runCommands(
          deps,
          {
            sessionId,
            stepIndex,
            turn,
            lease,
            commands: decided.commands,
            executor,
            ...(judgesPage === undefined ? {} : { judgesPage }),
            ...(once === undefined ? {} : { once }),
            outbox: { ...WRITTEN, records },
          },
          call,
        );
  if (judges !== true || call.signal.aborted || !isOnlyToBeJudged(decided, ran, asked.step.options.reflectionEnabled))
    return { decided, ran };
  // A failure is met by the workflow, which makes the call itself then.
  const judged = await reach(deciding, { ...asked, turn: turn + 1, outbox: WRITTEN }, call)
    .then(async (next) => {
      if (next !== undefined) await log(next.records);
      return next?.output;
    })
    .catch(() => undefined);
  return { decided, ran, ...(judged === undefined ? {} : { judged }) };
}

/** An earlier attempt has begun the steps behind this one: its commands are done, and the page is that of a later step. */
async function ranBefore(
  { store }: Pick<BrowserDeps, 'store'>,
  { sessionId, stepIndex, lease }: Pick<OneStep, 'sessionId' | 'stepIndex' | 'lease'>,
  { commands }: DecideOutput,
): Promise<RunCommandsOutput> {
  const results = await store.memory.stepResults(sessionId);
  const { page = { screenshotId: '', url: '' } } = results.find((result) => result.stepIndex === stepIndex) ?? {};
  return {
    outcomes: commands.map(({ commandId }) => ({ commandId, status: 'done' })),
    isInterrupted: false,
    lease,
    page,
  };
}
