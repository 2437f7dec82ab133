import { ApplicationFailure, CancellationScope, condition, log, setHandler } from '@temporalio/workflow';
import { approvalCommand } from '../../contracts/approvals/approval';
import {
  ResolveBudgetRequestSchema,
  budgetCommand,
  budgetUses,
  raiseBudget,
  spent,
  budgetSpentText,
  budgetUseText,
  type ResolveBudgetRequest,
} from '../../contracts/models/budget';
import type { ConfigIssue } from '../../contracts/sessions/resolve-config';
import {
  AddStepsRequestSchema,
  MAX_STEPS,
  issuesOf,
  stepIssues,
  toSteps,
  type StepInput,
} from '../../contracts/sessions/start-request';
import {
  resolveUnknownCommand,
  unknownOutcomeName,
  ResolveUnknownRequestSchema,
  type ResolveUnknownRequest,
} from '../../contracts/approvals/unknown-outcome';
import { engineActivities } from '../activities/proxies';
import {
  addStepsSignal,
  addStepsUpdate,
  cancelSignal,
  cancelUpdate,
  pauseSignal,
  pauseUpdate,
  resolveBudgetSignal,
  resolveBudgetUpdate,
  resolveUnknownSignal,
  resolveUnknownUpdate,
  resumeSignal,
  resumeUpdate,
  stateQuery,
  WRONG_STATE,
  type Accepted,
} from '../messages';
import type { PauseControl } from '../waits/pause';
import type { SessionRun } from './session-run';

/** Installs what the outside may ask of a running session. Validators decide from state alone and change nothing. */
export function handleMessages(run: SessionRun, pause: PauseControl): void {
  const accepted = (): Accepted => ({
    status: run.status,
    pauseRequested: pause.isRequested,
    totalSteps: run.steps.length,
  });
  const refuse = (what: string, state: string): never => {
    throw ApplicationFailure.create({
      message: `The session can't be ${what}: it is ${state}.`,
      type: WRONG_STATE,
      nonRetryable: true,
      details: [{ state }],
    });
  };
  const refuseInput = (issues: ConfigIssue[]): never => {
    const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
    throw ApplicationFailure.create({ message, type: 'SP001', nonRetryable: true, details: [{ issues }] });
  };
  const mustBeOpen = (what: string): void => {
    if (run.isEnded) refuse(what, run.status);
    if (run.root.consideredCancelled) refuse(what, 'being cancelled');
    if (run.isEnding) refuse(what, 'about to end');
  };

  const mayPause = (): void => {
    mustBeOpen('paused');
    if (pause.isAskedOrPaused) refuse('paused', pause.isRequested ? 'about to pause' : run.status);
  };
  const mayResume = (): void => {
    mustBeOpen('resumed');
    if (pause.isAskedOrPaused) return;
    const { unknown } = run.unknownWait;
    const [approval] = run.approvals.pending;
    if (approval !== undefined)
      refuse('resumed', `waiting for an answer about ${approval.toolName} (${approvalCommand(approval.approvalId)})`);
    const { use } = run.budgetWait;
    if (use !== undefined)
      refuse('resumed', `waiting for a decision. ${budgetSpentText(use)} (${budgetCommand(run.sessionId, use)})`);
    if (unknown === undefined) return refuse('resumed', run.status);
    const answer = resolveUnknownCommand(run.sessionId, unknown.commandId);
    refuse('resumed', `waiting for a person to say whether ${unknownOutcomeName(unknown)} happened (${answer})`);
  };
  const mayResolveUnknown = (given: ResolveUnknownRequest): void => {
    mustBeOpen('given this answer');
    const parsed = ResolveUnknownRequestSchema.safeParse(given);
    if (!parsed.success) return refuseInput(issuesOf(parsed.error));
    const { unknown } = run.unknownWait;
    if (unknown === undefined) return refuse('given this answer', 'not waiting for one');
    if (unknown.commandId === given.commandId) return;
    const waited = `${unknown.commandId} (${unknownOutcomeName(unknown)})`;
    refuse('given this answer', `waiting for the outcome of ${waited}, not of ${given.commandId}`);
  };
  const mayResolveBudget = (given: ResolveBudgetRequest): void => {
    mustBeOpen('given this decision');
    const parsed = ResolveBudgetRequestSchema.safeParse(given);
    if (!parsed.success) return refuseInput(issuesOf(parsed.error));
    const { use } = run.budgetWait;
    const { budget } = run.config;
    if (use === undefined || budget === undefined) return refuse('given this decision', 'not waiting for one');
    if (parsed.data.decision === 'end') return;
    const still = spent(budgetUses(raiseBudget(budget, parsed.data), { [use.limit]: use.used }));
    if (still === undefined) return;
    refuseInput([{ path: use.limit, message: `expected more than is used already, got ${budgetUseText(still)}` }]);
  };
  const mayCancel = (): void => mustBeOpen('cancelled');
  const mayAddSteps = (inputs: StepInput[]): void => {
    mustBeOpen('given more steps');
    if (run.isClosing) refuse('given more steps', 'closing');
    const parsed = AddStepsRequestSchema.safeParse({ steps: inputs });
    const issues = parsed.success ? stepIssues(toSteps(parsed.data.steps), run.config) : issuesOf(parsed.error);
    // A conversation may go on for ever: what it has done does not count.
    const known = run.config.agent.stayOpen ? run.steps.length - run.stepIndex : run.steps.length;
    if (parsed.success && known + parsed.data.steps.length > MAX_STEPS) {
      issues.push({ path: 'steps', message: `a session takes at most ${MAX_STEPS} steps; it has ${known}` });
    }
    if (issues.length > 0) refuseInput(issues);
  };

  const addSteps = async (inputs: StepInput[]): Promise<Accepted> => {
    const steps = toSteps(AddStepsRequestSchema.parse({ steps: inputs }).steps);
    run.steps.push(...steps);
    // A message may come before the session's row is known.
    await condition(() => run.sessionId !== '');
    // All that may not be written yet: two additions may be written in either order.
    const firstIndex = run.config.agent.stayOpen ? run.storedSteps : 0;
    const added = run.steps.slice(firstIndex);
    await engineActivities('store added steps').storeSteps({ sessionId: run.sessionId, steps: added, firstIndex });
    run.storedSteps = Math.max(run.storedSteps, firstIndex + added.length);
    return accepted();
  };
  /** Goes through the server, so that the workflow ends as cancelled there, however the wish came in. */
  const cancel = async (): Promise<Accepted> => {
    await CancellationScope.nonCancellable(() => engineActivities('cancel the session').requestCancel({}));
    return accepted();
  };
  /** Of two answers that arrive together both may pass the validator: the second is refused here. */
  const resolveUnknown = (given: ResolveUnknownRequest): Accepted => {
    mayResolveUnknown(given);
    run.unknownWait.answer(given);
    return accepted();
  };
  const resolveBudget = (given: ResolveBudgetRequest): Accepted => {
    mayResolveBudget(given);
    run.budgetWait.answer(given);
    return accepted();
  };
  const act = (change: () => void) => (): Accepted => {
    change();
    return accepted();
  };

  setHandler(
    pauseUpdate,
    act(() => pause.request()),
    { validator: mayPause },
  );
  setHandler(
    resumeUpdate,
    act(() => pause.resume()),
    { validator: mayResume },
  );
  setHandler(cancelUpdate, cancel, { validator: mayCancel });
  setHandler(addStepsUpdate, addSteps, { validator: mayAddSteps });
  setHandler(resolveUnknownUpdate, resolveUnknown, { validator: mayResolveUnknown });
  setHandler(resolveBudgetUpdate, resolveBudget, { validator: mayResolveBudget });
  setHandler(stateQuery, accepted);

  /** A signal can't be refused: one that makes no sense now is told in the log of the workflow and dropped. */
  const ifAllowed =
    <A extends unknown[]>(check: (...args: A) => void, change: (...args: A) => unknown) =>
    async (...args: A): Promise<void> => {
      try {
        check(...args);
      } catch (error) {
        log.warn('a signal was ignored', { reason: (error as Error).message });
        return;
      }
      await change(...args);
    };
  setHandler(
    pauseSignal,
    ifAllowed(mayPause, () => pause.request()),
  );
  setHandler(
    resumeSignal,
    ifAllowed(mayResume, () => pause.resume()),
  );
  setHandler(cancelSignal, ifAllowed(mayCancel, cancel));
  setHandler(addStepsSignal, ifAllowed(mayAddSteps, addSteps));
  setHandler(resolveUnknownSignal, ifAllowed(mayResolveUnknown, resolveUnknown));
  setHandler(resolveBudgetSignal, ifAllowed(mayResolveBudget, resolveBudget));
}
