import { defineSessionCommand } from './session-command';

export const cancelCall = defineSessionCommand<{ reason?: string }, [callId: string]>({
  name: 'cancel-call',
  summary: 'cancel one tool call of a task',
  description:
    'A call that has not begun never begins, one that waits for an approval needs none any more, one that runs is ' +
    'stopped. Its model gets the reason; the other calls and the task go on.',
  examples: [['surefoot cancel-call 3f2a call_5f3e7c1a9d202b1c --reason "it takes too long"', 'and why']],
  extend: (command) =>
    command
      .argument('<call>', 'id of the call, as events and approvals have it')
      .option('--reason <text>', 'what the model reads as the reason'),
  prepare:
    ({ reason }, callId) =>
    async (sessions, sessionId, options) => {
      const accepted = await sessions.cancelCall(
        sessionId,
        { callId, ...(reason === undefined ? {} : { reason }) },
        options,
      );
      const message = `Call ${callId} is cancelled; session ${sessionId} goes on without it.`;
      return { accepted: { callId, ...accepted }, message };
    },
});
