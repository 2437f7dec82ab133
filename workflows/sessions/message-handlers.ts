import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import { approvalCommand } from '../../contracts/approvals/approval';
import {
  resolveUnknownCommand,
  unknownOutcomeName,
  type ResolveUnknownRequest,
} from '../../contracts/approvals/unknown-outcome';
import {
  budgetCommand,
  budgetSpentText,
  budgetUses,
  budgetUseText,
  raiseBudget,
  spent,
  type ResolveBudgetRequest,
} from '../../contracts/models/budget';
import { MAX_STEPS } from '../../contracts/sessions/start-request';
import { toSteps } from '../../contracts/sessions/to-steps';
import { engineActivities } from '../proxies/activity-proxies';
import type { Accepted } from '../../contracts/sessions/order';
import type { SessionProgress } from '../../contracts/sessions/progress';
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
  progressQuery,
  stateQuery,
  verifyStoreSignal,
  type AddedSteps,
} from '../messages';
import { handleOrder } from './handle-order';
import { accepted, checkInput, checkOpen, ifAllowed, ifValid, refuse, refuseInput } from './refusals';
import type { SessionRun } from './session-run';

/** Installs the handlers of the messages that every session takes. Validators read the state and change nothing. */
export function handleMessages(run: SessionRun): void {
  setHandler(stateQuery, () => accepted(run));
  setHandler(progressQuery, () => sessionProgress(run));
  handlePause(run);
  handleCancel(run);
  handleAddSteps(run);
  handleUnknownOutcome(run);
  handleBudget(run);
  handleVerifyStore(run);
}

function sessionProgress({ session }: SessionRun): SessionProgress {
  // A payload has no dates.
  const { lastActivity: _lastActivity, ...progress } = session.progress();
  return { ...progress, status: session.status };
}

function handleVerifyStore({ session }: SessionRun): void {
  const verify = async (): Promise<void> => {
    // A signal may come before the session's row is there, and to one that is about to write its end.
    await condition(() => session.id !== '' || session.isEnding);
    if (!session.isEnding) await session.publishAgain('compare what is known with the database');
  };
  setHandler(
    verifyStoreSignal,
    ifAllowed(() => {}, verify),
  );
}

function handlePause(run: SessionRun): void {
  const { session, pause } = run;
  const mayPause = (): void => {
    checkOpen(run, 'paused');
    if (pause.isRequestedOrPaused) refuse('paused', pause.isRequested ? 'about to pause' : session.status);
  };
  const mayResume = (): void => {
    checkOpen(run, 'resumed');
    if (!pause.isRequestedOrPaused) refuse('resumed', waitOf(run) ?? session.status);
  };
  const request = (): Accepted => {
    pause.request();
    return accepted(run);
  };
  const resume = (): Accepted => {
    pause.resume();
    return accepted(run);
  };
  handleOrder(run, pauseUpdate, mayPause, request);
  handleOrder(run, resumeUpdate, mayResume, resume);
  setHandler(pauseSignal, ifAllowed(mayPause, request));
  setHandler(resumeSignal, ifAllowed(mayResume, resume));
}

/** What a session that is paused, but not by a pause, waits for. */
function waitOf({ session, approvals, budget, unknownOutcome }: SessionRun): string | undefined {
  const [approval] = approvals.pending;
  if (approval !== undefined)
    return `waiting for an answer about ${approval.toolName} (${approvalCommand(approval.approvalId)})`;
  const { use } = budget;
  if (use !== undefined) return `waiting for a decision. ${budgetSpentText(use)} (${budgetCommand(session.id, use)})`;
  const { unknown } = unknownOutcome;
  if (unknown === undefined) return undefined;
  const answer = resolveUnknownCommand(session.id, unknown.commandId);
  return `waiting for a person to say whether ${unknownOutcomeName(unknown)} happened (${answer})`;
}

function handleCancel(run: SessionRun): void {
  const mayCancel = (): void => checkOpen(run, 'cancelled');
  /** Goes through the server, so that the workflow ends as cancelled there too. */
  const cancel = async (): Promise<Accepted> => {
    await CancellationScope.nonCancellable(() => engineActivities('cancel the session').requestCancel({}));
    return accepted(run);
  };
  handleOrder(run, cancelUpdate, mayCancel, cancel);
  setHandler(cancelSignal, ifAllowed(mayCancel, cancel));
}

function handleAddSteps(run: SessionRun): void {
  const { session, conversation } = run;
  const { steps } = session;
  const hasRoom = (input: AddedSteps): void => {
    checkOpen(run, 'given more steps');
    if (conversation.isClosing) refuse('given more steps', 'closing');
    const added = 'orderId' in input ? input.steps : input;
    // A conversation may go on for ever: what it has done does not count.
    const count = session.config.agent.stayOpen ? steps.remainingCount : steps.total;
    if (count + added.length > MAX_STEPS)
      refuseInput([{ path: 'steps', message: `a session takes at most ${MAX_STEPS} steps; it has ${count}` }]);
  };
  const mayAddSteps = (input: AddedSteps): void => {
    checkOpen(run, 'given more steps');
    if (!('orderId' in input)) checkInput(run, 'addSteps', input);
    hasRoom(input);
  };
  const addSteps = async (input: AddedSteps): Promise<Accepted> => {
    session.addGivenOrigins(input);
    const added = 'orderId' in input ? input.steps : toSteps(input, session.config);
    await steps.add(added, async (firstIndex) => {
      // A message may come before the session's row is there.
      await condition(() => session.id !== '');
      await engineActivities('store added steps').storeSteps({ sessionId: session.id, steps: added, firstIndex });
    });
    return accepted(run);
  };
  handleOrder(run, addStepsUpdate, mayAddSteps, addSteps);
  setHandler(addStepsSignal, ifValid(run, 'addSteps', hasRoom, addSteps));
}

function handleUnknownOutcome(run: SessionRun): void {
  const what = 'given this answer';
  const { unknownOutcome } = run;
  const isWaitedFor = ({ commandId }: ResolveUnknownRequest): void => {
    checkOpen(run, what);
    const { unknown } = unknownOutcome;
    if (unknown === undefined) return refuse(what, 'not waiting for one');
    if (unknown.commandId === commandId) return;
    const waited = `${unknown.commandId} (${unknownOutcomeName(unknown)})`;
    refuse(what, `waiting for the outcome of ${waited}, not of ${commandId}`);
  };
  const mayResolve = (answer: ResolveUnknownRequest): void => {
    checkOpen(run, what);
    checkInput(run, 'resolve-unknown', answer);
    isWaitedFor(answer);
  };
  /** Two answers that arrive together may both pass the validator: the second is refused here. */
  const resolve = (answer: ResolveUnknownRequest): Accepted => {
    isWaitedFor(answer);
    unknownOutcome.answer(answer);
    return accepted(run);
  };
  handleOrder(run, resolveUnknownUpdate, mayResolve, resolve);
  setHandler(resolveUnknownSignal, ifValid(run, 'resolve-unknown', isWaitedFor, resolve));
}

function handleBudget(run: SessionRun): void {
  const what = 'given this decision';
  const isWaitedFor = (decision: ResolveBudgetRequest): void => {
    checkOpen(run, what);
    const { use, budget } = run.budget;
    if (use === undefined || budget === undefined) return refuse(what, 'not waiting for one');
    if (decision.decision === 'end') return;
    const raised = raiseBudget(budget, decision);
    const tooMuch = run.budget.floorIssues(raised);
    if (tooMuch.length > 0) refuseInput(tooMuch);
    const still = spent(budgetUses(raised, { [use.limit]: use.used }));
    if (still === undefined) return;
    refuseInput([{ path: use.limit, message: `expected more than is used already, got ${budgetUseText(still)}` }]);
  };
  const mayResolve = (decision: ResolveBudgetRequest): void => {
    checkOpen(run, what);
    checkInput(run, 'resolve-budget', decision);
    isWaitedFor(decision);
  };
  /** Two decisions that arrive together may both pass the validator: the second is refused here. */
  const resolve = (decision: ResolveBudgetRequest): Accepted => {
    isWaitedFor(decision);
    run.budget.answer(decision);
    return accepted(run);
  };
  handleOrder(run, resolveBudgetUpdate, mayResolve, resolve);
  setHandler(resolveBudgetSignal, ifValid(run, 'resolve-budget', isWaitedFor, resolve));
}
