import type { Approval, ConfirmationCard } from '../../contracts/approvals/approval';
import { describeView } from '../../contracts/browsers/approval-view';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { SessionRun } from '../sessions/session-run';
import type { TaskProgress } from '../turns/task-progress';

/** A call that a person is to be asked about. */
export interface Question {
  call: PlannedCall;
  card: ConfirmationCard;
  /** What differs from the page that a person has approved before. */
  changes: string[];
}

const LONGEST_TASK = 500;

/** The question as it is published and stored; `round` counts the questions about one call. */
export function toApproval(
  { session }: SessionRun,
  { stepIndex }: Pick<TaskProgress, 'stepIndex'>,
  { call, card, changes }: Question,
  round: number,
): Approval {
  const { callId, name, args, classification, hash, pageUrl, view, isAskedAgain } = call;
  const { approvalTimeoutMs } = session.config.agent;
  const now = Date.now();
  const task = session.steps.current.instruction.slice(0, LONGEST_TASK);
  return {
    // Derived from the call, so that every attempt to write it writes the same one.
    approvalId: `${callId.replace(/^call_/, 'appr_')}${isAskedAgain === true ? '-again' : ''}${round === 1 ? '' : `-${round}`}`,
    sessionId: session.id,
    callId,
    ...(call.scope.server === undefined ? {} : { server: call.scope.server }),
    toolName: name,
    args,
    classification,
    card: withFacts(card, call, task, changes),
    hash,
    ...(pageUrl === undefined ? {} : { pageUrl }),
    task,
    ...(view === undefined ? {} : { view }),
    ...(changes.length === 0 ? {} : { changes }),
    stepIndex,
    turn: session.turnCount,
    status: 'pending',
    askedAt: new Date(now).toISOString(),
    ...(approvalTimeoutMs === undefined ? {} : { expiresAt: new Date(now + approvalTimeoutMs).toISOString() }),
  };
}

/** Says in a card of ours what every reader of it has to know. The text of a caller's tool is shown as it was given. */
function withFacts(
  card: ConfirmationCard,
  { view, run }: PlannedCall,
  task: string,
  changes: string[],
): ConfirmationCard {
  if (card.type !== 'info' || run.kind === 'client') return card;
  const changed = changes.length === 0 ? [] : [`It has changed since it was approved: ${changes.join(' ')}`];
  const shown = view === undefined ? [] : describeView(view);
  return { ...card, prompt: [...changed, card.prompt, ...shown, `Task: ${task}`].join(' ') };
}
