import type { Command } from 'commander';
import { addSessionControl } from './session-control';
import type { Ending } from '../exit';

export function addPause(program: Command, end: Ending): void {
  addSessionControl(program, end, {
    name: 'pause',
    summary: 'pause a session after its current command',
    description:
      'Asks a session to pause. The command that runs is finished; no other starts until the session is resumed, in a ' +
      'minute or in a week, and whatever is restarted in between.',
    send: (sessions, sessionId) => sessions.pause(sessionId),
    describe: (sessionId, { pauseRequested }) =>
      pauseRequested
        ? `Session ${sessionId} pauses after its current command; \`surefoot resume ${sessionId}\` goes on.`
        : `Session ${sessionId} is paused; \`surefoot resume ${sessionId}\` goes on.`,
  });
}
