import { defineSessionCommand } from './session-command';

export const cancel = defineSessionCommand({
  name: 'cancel',
  summary: 'end a session',
  description: 'Ends a session for good: its browser is closed and its log is completed. What it saved stays.',
  examples: [['surefoot cancel 3f2a', 'a session by the beginning of its id']],
  prepare: () => async (sessions, sessionId, options) => ({
    accepted: await sessions.cancel(sessionId, options),
    message: `Session ${sessionId} is being cancelled.`,
  }),
});
