import type { Command } from 'commander';
import { addSessionControl } from './session-control';
import type { Ending } from '../exit';

export function addCancelTurn(program: Command, end: Ending): void {
  addSessionControl(program, end, {
    name: 'cancel-turn',
    summary: 'cancel the response of a conversation',
    description:
      'Gives up what a conversation is doing for its present task. The conversation stays open for the next one.',
    send: (sessions, sessionId) => sessions.cancelTurn(sessionId),
    describe: (sessionId) => `Session ${sessionId} stops its response and stays open.`,
  });
}
