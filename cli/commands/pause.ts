import type { Command } from 'commander';
import { addControl } from '../control';
import type { Ending } from '../exit';

export function addPause(program: Command, end: Ending): void {
  addControl(program, end, {
    name: 'pause',
    summary: 'pause a session after its current command',
    description:
      'Asks a session to pause. The command that runs is finished; no other starts until the session is resumed, in a ' +
      'minute or in a week, and whatever is restarted in between.',
    ask: (sessions, sessionId) => sessions.pause(sessionId),
    told: (sessionId, { pauseRequested }) =>
      pauseRequested
        ? `Session ${sessionId} pauses after its current command; \`surefoot resume ${sessionId}\` goes on.`
        : `Session ${sessionId} is paused; \`surefoot resume ${sessionId}\` goes on.`,
  });
}
