import type { PageLook } from '../../contracts/page';
import type { JournalEntry } from '../../store/journal';
import type { ReplyRow } from '../../store/step-memory';
import type { Store } from '../../store/store';
import type { DecideInput, UnknownCommit } from '../engine-activities';
import type { CommandOutcome, Round, StepQuestion } from './port';
import { lostWithCommits, unknownCommits } from './unknown-commits';

/** Before anything was opened. */
export const BLANK_LOOK: PageLook = { lookId: '', url: 'about:blank', title: '', tabs: [], nodes: [] };

/** Puts together what the model is told, from what the store remembers of this step. */
export async function questionFor(
  store: Store,
  input: DecideInput,
): Promise<{ question: StepQuestion; unknownCommits: UnknownCommit[] }> {
  const { sessionId, stepIndex, step, turn, maxIterations, mayAct } = input;
  const [replies, journal, look, variables, session] = await Promise.all([
    store.memory.repliesOf(sessionId, stepIndex),
    store.journal.ofStep(sessionId, stepIndex),
    store.memory.look(sessionId),
    store.variables.ofSession(sessionId),
    store.sessions.get(sessionId),
  ]);
  const lost = lostWithCommits(journal);
  const question: StepQuestion = {
    instruction: step.instruction,
    stepIndex,
    iteration: turn,
    maxIterations,
    mayAct,
    rounds: replies.filter((reply) => reply.turn < turn).map((reply) => toRound(reply, journal, lost)),
    look: look ?? BLANK_LOOK,
    variables: [...variables.map((variable) => variable.name), ...Object.keys(session?.plan.secrets ?? {})],
  };
  return { question, unknownCommits: unknownCommits(journal) };
}

function toRound(
  { reply, commands: planned }: ReplyRow,
  journal: readonly JournalEntry[],
  lost: ReadonlySet<string>,
): Round {
  const outcomes = reply.commands.map((command, position): CommandOutcome => {
    const entry = journal.find(({ commandId }) => commandId === planned[position]?.commandId);
    const { action, parameters } = command;
    if (entry === undefined || entry.status === 'intended') return { action, parameters, status: 'skipped' };
    const { resolution } = entry;
    const evidence = lost.has(entry.commandId) ? { ...entry.evidence, lostWith: 'browser' } : entry.evidence;
    return {
      action,
      parameters,
      status: entry.status,
      ...(entry.error === undefined ? {} : { error: { code: entry.error.code, message: entry.error.message } }),
      ...(evidence === undefined ? {} : { evidence }),
      ...(resolution === undefined ? {} : { resolution: { by: resolution.by, happened: resolution.happened } }),
    };
  });
  const { decision, reasoning, commands, context } = reply;
  return { decision, reasoning, commands, context, outcomes };
}
