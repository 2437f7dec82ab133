import { defineSessionCommand } from './session-command';

export const cancelTurn = defineSessionCommand({
  name: 'cancel-turn',
  summary: 'cancel the response of a conversation',
  description:
    'Gives up what a conversation is doing for its present task. The conversation stays open for the next one.',
  examples: [['surefoot cancel-turn 3f2a', 'a session by the beginning of its id']],
  prepare: () => async (sessions, sessionId, options) => ({
    accepted: await sessions.cancelTurn(sessionId, undefined, options),
    message: `Session ${sessionId} stops its response and stays open.`,
  }),
});
