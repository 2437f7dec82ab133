import type { StandingApproval } from '../../contracts/approvals/remembered-approval';
import type { PlannedStart } from '../../contracts/sessions/start-request';
import { RunningBatch } from '../browsers/running-batch';
import { SessionBrowser, type ContinuedBrowser } from '../browsers/session-browser';
import { StepsAhead } from '../browsers/steps-ahead';
import { CurrentTask } from '../turns/current-task';
import type { TaskProgressState } from '../turns/task-progress';
import { AskedSecretWait } from '../waits/asked-secret-wait';
import { BudgetWait, type ContinuedBudget } from '../waits/budget';
import { NextTask } from '../waits/conversation';
import { PageWaits, type PageWaitProgress } from '../waits/page-wait';
import { Pause } from '../waits/pause';
import { PendingApprovals } from '../waits/pending-approvals';
import { UnknownOutcomeWait } from '../waits/unknown-outcome-wait';
import { AppliedMessages, type ContinuedMessages } from '../state/applied-messages';
import type { EarlyMessages } from '../state/early-messages';
import { StoreRecovery } from './store-recovery';
import { RunningSession, type ContinuedSession } from '../state/session-state';

/** What one run of the workflow hands to the next when it continues as new: the slice of each part. */
export interface ContinuedState {
  session: ContinuedSession;
  browser: ContinuedBrowser;
  budget: ContinuedBudget;
  /** A pause was requested while the run before this one handed over. */
  isPauseRequested: boolean;
  isClosing: boolean;
  rememberedApprovals: readonly StandingApproval[];
  messages: ContinuedMessages;
  /** A task that is under way, between two of its turns. */
  task?: TaskProgressState | undefined;
  /** A step that waits on its page, between two looks. */
  pageWait?: PageWaitProgress | undefined;
}

/** One run of a session: its state, and the parts that own what they wait for. */
export interface SessionRun {
  readonly session: RunningSession;
  readonly browser: SessionBrowser;
  readonly batch: RunningBatch;
  readonly pause: Pause;
  readonly approvals: PendingApprovals;
  readonly unknownOutcome: UnknownOutcomeWait;
  readonly askedSecret: AskedSecretWait;
  readonly budget: BudgetWait;
  readonly conversation: NextTask;
  readonly pageWaits: PageWaits;
  readonly task: CurrentTask;
  readonly ahead: StepsAhead;
  readonly recovery: StoreRecovery;
  readonly messages: AppliedMessages;
  readonly earlyMessages: EarlyMessages;
}

export function createSessionRun(
  start: PlannedStart,
  continued: ContinuedState | undefined,
  earlyMessages: EarlyMessages,
): SessionRun {
  const session = new RunningSession(start, continued?.session);
  const browser = new SessionBrowser(session, continued?.browser);
  const batch = new RunningBatch();
  for (const message of continued?.messages.unwritten ?? []) session.outbox.message(message);
  const messages = new AppliedMessages(continued?.messages);
  const pause = new Pause(session, browser, batch, continued?.isPauseRequested);
  const budget = new BudgetWait(session, browser, continued?.budget);
  return {
    session,
    browser,
    batch,
    pause,
    approvals: new PendingApprovals(session, browser, continued?.rememberedApprovals),
    unknownOutcome: new UnknownOutcomeWait(session, browser),
    askedSecret: new AskedSecretWait(session, browser, messages),
    budget,
    conversation: new NextTask(session, browser, pause, continued?.isClosing),
    pageWaits: new PageWaits(session, browser, pause, continued?.pageWait),
    task: new CurrentTask(continued?.task),
    ahead: new StepsAhead(session, browser, budget),
    recovery: new StoreRecovery(session, browser, pause, batch),
    messages,
    earlyMessages,
  };
}

/** All but the browser, which may have to be waited for. */
export function toContinuedState(run: SessionRun): Omit<ContinuedState, 'browser'> {
  const { session, budget, pause, conversation, approvals, task, pageWaits, messages } = run;
  return {
    session: session.toContinued(),
    budget: budget.toContinued(),
    isPauseRequested: pause.isRequested,
    isClosing: conversation.isClosing,
    rememberedApprovals: approvals.remembered,
    messages: { appliedIds: messages.appliedIds, unwritten: session.outbox.pendingMessages },
    task: task.progress?.toState(),
    pageWait: pageWaits.progress,
  };
}
