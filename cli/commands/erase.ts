import { defineSessionCommand } from './session-command';

export const erase = defineSessionCommand({
  name: 'erase',
  summary: 'delete all data of an ended session',
  description:
    'Deletes log, results, screenshots, variables, model calls and the history in Temporal of a session that has ended, ' +
    'and says what is left elsewhere.',
  examples: [['surefoot erase 3f2a', 'a session by the beginning of its id']],
  prepare: () => async (sessions, sessionId) => {
    const accepted = await sessions.erase(sessionId);
    const left = accepted.left.map((place) => `  ${place}`).join('\n');
    return { accepted, message: `Session ${sessionId} is erased. What may be left:\n${left}` };
  },
});
