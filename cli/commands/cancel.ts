import type { Command } from 'commander';
import { addControl } from '../control';
import type { Ending } from '../exit';

export function addCancel(program: Command, end: Ending): void {
  addControl(program, end, {
    name: 'cancel',
    summary: 'end a session',
    description: 'Ends a session for good: its browser is closed and its log is completed. What it has saved stays.',
    ask: (sessions, sessionId) => sessions.cancel(sessionId),
    told: (sessionId) => `Session ${sessionId} is being cancelled.`,
  });
}
