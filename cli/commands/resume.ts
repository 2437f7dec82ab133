import { defineSessionCommand } from './session-command';
import { asCalled } from '../terminal/as-called';

export const resume = defineSessionCommand({
  name: 'resume',
  summary: 'let a paused session go on',
  description: 'Lets a paused session go on where it stopped.',
  examples: [['surefoot resume 3f2a', 'a session by the beginning of its id']],
  prepare: () => async (sessions, sessionId, options) => ({
    accepted: await sessions.resume(sessionId, options),
    message: `Session ${sessionId} goes on; ${asCalled(`watch ${sessionId}`)} follows it.`,
  }),
});
