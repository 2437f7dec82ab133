import { defineMessageCommand } from './message-command';

export const cancelCall = defineMessageCommand<'cancelCall', { reason?: string }, [callId: string]>('cancelCall', {
  examples: [['surefoot cancel-call 3f2a call_5f3e7c1a9d202b1c --reason "it takes too long"', 'and why']],
  extend: (command) =>
    command
      .argument('<call>', 'id of the call, as events and approvals have it')
      .option('--reason <text>', 'what the model reads as the reason'),
  read: ({ reason }, callId) => ({ callId, ...(reason === undefined ? {} : { reason }) }),
});
