import { CancellationScope, condition } from '@temporalio/workflow';
import { approvalCommand } from '../../../contracts/approvals/approval';
import { answerSecretCommand, describeAskedSecret } from '../../../contracts/approvals/asked-secret';
import { resolveUnknownCommand, unknownOutcomeName } from '../../../contracts/approvals/unknown-outcome';
import { isCarried } from '../../../contracts/messages/added-steps';
import type { CONTROL_DEFINITIONS } from '../../../contracts/messages/definitions/control';
import { budgetCommand, budgetSpentText } from '../../../contracts/models/budget';
import { loweredLimits, MAX_STEPS } from '../../../contracts/sessions/start-request';
import { toSteps } from '../../../contracts/sessions/to-steps';
import { ToolCallStatus } from '../../../contracts/tools/tool-call';
import { engineActivities } from '../../proxies/activity-proxies';
import type { SessionRun } from '../../sessions/session-run';
import type { MessageHandlers } from '../message-handler';
import { refuseInput, refuseState } from '../refusals';

const CANCELLED_BY_MESSAGE = 'the user cancelled it.';

export const CONTROL_HANDLERS: MessageHandlers<keyof typeof CONTROL_DEFINITIONS> = {
  pause: {
    obstacle({ session, pause }) {
      if (!pause.isRequestedOrPaused) return undefined;
      return pause.isRequested ? 'about to pause' : session.status;
    },
    apply: ({ pause }) => pause.request(),
  },
  resume: {
    obstacle: (run) => (run.pause.isRequestedOrPaused ? undefined : (waitOf(run) ?? run.session.status)),
    apply: ({ pause }) => pause.resume(),
  },
  cancel: {
    /** Goes through the server, so that the workflow ends as cancelled there too. */
    apply: () => CancellationScope.nonCancellable(() => engineActivities('cancel the session').requestCancel({})),
  },
  addSteps: {
    obstacle({ session: { steps, config }, conversation }, { steps: added }) {
      if (conversation.isClosing) return 'closing';
      if (config.parallelExecution === true) return 'running its steps in parallel';
      // A conversation may go on for ever: what it has done does not count.
      const count = config.agent.stayOpen ? steps.remainingCount : steps.total;
      if (count + added.length <= MAX_STEPS) return undefined;
      return refuseInput([{ path: 'steps', message: `a session takes at most ${MAX_STEPS} steps; it has ${count}` }]);
    },
    async apply({ session }, input) {
      session.addGivenOrigins(input);
      const added = isCarried(input) ? input.steps : toSteps(input.steps, session.config);
      const lowered = isCarried(input) ? [] : loweredLimits(input.steps, session.config, session.steps.total);
      for (const message of lowered) session.warn({ code: 'SP001', message });
      await session.steps.add(added, async (firstIndex) => {
        // A message may come before the session's row is there.
        await condition(() => session.id !== '');
        await engineActivities('store added steps').storeSteps({ sessionId: session.id, steps: added, firstIndex });
      });
    },
  },
  close: {
    obstacle({ session, conversation }) {
      if (!session.config.agent.stayOpen) return 'no conversation: it ends by itself after its last step';
      return conversation.isClosing ? 'closing' : undefined;
    },
    apply: ({ conversation }) => conversation.close(),
  },
  cancelTurn: {
    obstacle({ session, task }) {
      if (!session.config.agent.stayOpen) return 'no conversation: cancel the session instead';
      return task.turns.canCancel ? undefined : 'not giving one';
    },
    apply({ task, batch }, { reason = '' }) {
      task.turns.cancel(reason === '' ? CANCELLED_BY_MESSAGE : reason);
      batch.stop();
    },
  },
  cancelCall: {
    obstacle(run, { callId }) {
      const { calls } = run.task;
      const isRunning = calls.find(callId)?.status === ToolCallStatus.Executing;
      const obstacle = calls.obstacle(callId) ?? (isRunning ? waitForPerson(run) : undefined);
      if (obstacle === undefined) return undefined;
      return refuseState(`Call ${callId} can't be cancelled: ${obstacle}.`, obstacle);
    },
    async apply({ session, task }, { callId, reason = '' }) {
      // A call that runs records its end itself; of another one nothing may be written for long where another call runs.
      if (task.calls.cancel(callId, reason)) await session.publish(`${callId} was cancelled`);
    },
  },
};

/** What a session that is paused, but not by a pause, waits for. */
function waitOf({ session, approvals, budget, unknownOutcome, askedSecret }: SessionRun): string | undefined {
  const [approval] = approvals.pending;
  if (approval !== undefined)
    return `waiting for an answer about ${approval.toolName} (${approvalCommand(approval.approvalId)})`;
  const { use } = budget;
  if (use !== undefined) return `waiting for a decision. ${budgetSpentText(use)} (${budgetCommand(session.id, use)})`;
  if (askedSecret.secret !== undefined)
    return `waiting for an answer. ${describeAskedSecret(askedSecret.secret)} (${answerSecretCommand(session.id)})`;
  const { unknown } = unknownOutcome;
  if (unknown === undefined) return undefined;
  const answer = resolveUnknownCommand(session.id, unknown.commandId);
  return `waiting for a person to say whether ${unknownOutcomeName(unknown)} happened (${answer})`;
}

/** A command that was begun in the session's browser and that nobody saw end can't be stopped any more. */
function waitForPerson({ unknownOutcome: { unknown }, session }: SessionRun): string | undefined {
  if (unknown === undefined) return undefined;
  const answer = resolveUnknownCommand(session.id, unknown.commandId);
  return `it was begun, and a person is asked whether ${unknownOutcomeName(unknown)} happened (${answer})`;
}
