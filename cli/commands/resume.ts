import type { Command } from 'commander';
import { addSessionControl } from './session-control';
import type { Ending } from '../exit';

export function addResume(program: Command, end: Ending): void {
  addSessionControl(program, end, {
    name: 'resume',
    summary: 'let a paused session go on',
    description: 'Lets a paused session go on where it stopped.',
    send: (sessions, sessionId) => sessions.resume(sessionId),
    describe: (sessionId) => `Session ${sessionId} goes on; \`surefoot watch ${sessionId}\` follows it.`,
  });
}
