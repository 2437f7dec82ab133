import type { Command } from 'commander';
import { addControl } from '../control';
import type { Ending } from '../exit';

export function addClose(program: Command, end: Ending): void {
  addControl(program, end, {
    name: 'close',
    summary: 'close a conversation',
    description: 'Ends a session that stays open for further tasks, once it has done what it was given.',
    ask: (sessions, sessionId) => sessions.close(sessionId),
    told: (sessionId) => `Session ${sessionId} ends when it has done what it was given.`,
  });
}
