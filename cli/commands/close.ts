import type { Command } from 'commander';
import { addSessionControl } from './session-control';
import type { Ending } from '../exit';

export function addClose(program: Command, end: Ending): void {
  addSessionControl(program, end, {
    name: 'close',
    summary: 'close a conversation',
    description: 'Ends a session that stays open for further tasks, once it has done what it was given.',
    send: (sessions, sessionId) => sessions.close(sessionId),
    describe: (sessionId) => `Session ${sessionId} ends when it has done what it was given.`,
  });
}
