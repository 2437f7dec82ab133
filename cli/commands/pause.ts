import { defineSessionCommand } from './session-command';
import { asCalled } from '../terminal/as-called';

export const pause = defineSessionCommand({
  name: 'pause',
  summary: 'pause a session after its current command',
  description:
    'Asks a session to pause. The running command finishes; no other starts until the session is resumed, in a ' +
    'minute or in a week, and whatever is restarted in between.',
  examples: [['surefoot pause 3f2a', 'a session by the beginning of its id']],
  prepare: () => async (sessions, sessionId, options) => {
    const accepted = await sessions.pause(sessionId, options);
    const when = accepted.pauseRequested ? 'pauses after its current command' : 'is paused';
    return { accepted, message: `Session ${sessionId} ${when}; ${asCalled(`resume ${sessionId}`)} goes on.` };
  },
});
