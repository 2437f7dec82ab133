import type { PageLook } from '../../contracts/page';
import type { JournalEntry } from '../../store/journal';
import type { ReplyRow } from '../../store/step-memory';
import type { Store } from '../../store/store';
import type { DecideInput } from '../engine-activities';
import type { CommandOutcome, Round, StepQuestion } from './port';

/** Before anything was opened. */
export const BLANK_LOOK: PageLook = { lookId: '', url: 'about:blank', title: '', tabs: [], nodes: [] };

/** Puts together what the model is told, from what the store remembers of this step. */
export async function questionFor(store: Store, input: DecideInput): Promise<StepQuestion> {
  const { sessionId, stepIndex, step, turn, maxIterations, mayAct } = input;
  const [replies, journal, look, variables] = await Promise.all([
    store.memory.repliesOf(sessionId, stepIndex),
    store.journal.ofStep(sessionId, stepIndex),
    store.memory.look(sessionId),
    store.variables.ofSession(sessionId),
  ]);
  return {
    instruction: step.instruction,
    stepIndex,
    iteration: turn,
    maxIterations,
    mayAct,
    rounds: replies.filter((reply) => reply.turn < turn).map((reply) => toRound(reply, journal)),
    look: look ?? BLANK_LOOK,
    variables: variables.map((variable) => variable.name),
  };
}

function toRound({ reply, commands: planned }: ReplyRow, journal: readonly JournalEntry[]): Round {
  const outcomes = reply.commands.map((command, position): CommandOutcome => {
    const entry = journal.find(({ commandId }) => commandId === planned[position]?.commandId);
    const { action, parameters } = command;
    if (entry === undefined || entry.status === 'intended') return { action, parameters, status: 'skipped' };
    return {
      action,
      parameters,
      status: entry.status,
      ...(entry.error === undefined ? {} : { error: { code: entry.error.code, message: entry.error.message } }),
      ...(entry.evidence === undefined ? {} : { evidence: entry.evidence }),
    };
  });
  const { decision, reasoning, commands, context } = reply;
  return { decision, reasoning, commands, context, outcomes };
}
