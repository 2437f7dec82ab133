import type { Command } from 'commander';
import { addControl } from '../control';
import type { Ending } from '../exit';

export function addCancelTurn(program: Command, end: Ending): void {
  addControl(program, end, {
    name: 'cancel-turn',
    summary: 'cancel the response of a conversation',
    description:
      'Gives up what a conversation is doing for its present task. The conversation stays open for the next one.',
    ask: (sessions, sessionId) => sessions.cancelTurn(sessionId),
    told: (sessionId) => `Session ${sessionId} stops its response and stays open.`,
  });
}
