import type { Command } from 'commander';
import { addSessionControl } from './session-control';
import type { Ending } from '../exit';

export function addCancel(program: Command, end: Ending): void {
  addSessionControl(program, end, {
    name: 'cancel',
    summary: 'end a session',
    description: 'Ends a session for good: its browser is closed and its log is completed. What it has saved stays.',
    send: (sessions, sessionId) => sessions.cancel(sessionId),
    describe: (sessionId) => `Session ${sessionId} is being cancelled.`,
  });
}
