import type { Command } from 'commander';
import { addControl } from '../control';
import type { Ending } from '../exit';

export function addResume(program: Command, end: Ending): void {
  addControl(program, end, {
    name: 'resume',
    summary: 'let a paused session go on',
    description: 'Lets a paused session go on where it stopped.',
    ask: (sessions, sessionId) => sessions.resume(sessionId),
    told: (sessionId) => `Session ${sessionId} goes on; \`surefoot watch ${sessionId}\` follows it.`,
  });
}
