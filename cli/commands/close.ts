import { defineSessionCommand } from './session-command';

export const close = defineSessionCommand({
  name: 'close',
  summary: 'close a conversation',
  description: 'Ends a session that stays open for further tasks, once its present task is done.',
  examples: [['surefoot close 3f2a', 'a session by the beginning of its id']],
  prepare: () => async (sessions, sessionId, options) => ({
    accepted: await sessions.close(sessionId, options),
    message: `Session ${sessionId} ends when it has done what it was given.`,
  }),
});
