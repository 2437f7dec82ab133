import { defineMessageCommand } from './message-command';

export const cancelTurn = defineMessageCommand<'cancelTurn', { reason?: string }>('cancelTurn', {
  examples: [
    ['surefoot cancel-turn 3f2a', 'a session by the beginning of its id'],
    ['surefoot cancel-turn 3f2a --reason "the address was wrong"', 'and why'],
  ],
  extend: (command) => command.option('--reason <text>', 'what the model reads as the reason'),
  read: ({ reason }) => (reason === undefined ? {} : { reason }),
});
