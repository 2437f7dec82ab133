import type { PageLook } from '../../contracts/page';
import { pageKey } from '../../contracts/working-memory';
import type { PhaseRow } from '../../store/investigations';
import type { JournalEntry } from '../../store/journal';
import type { ReplyRow } from '../../store/step-memory';
import type { Store } from '../../store/store';
import type { VariableRow } from '../../store/variables';
import type { DecideInput, UnknownCommit } from '../engine-activities';
import type { CommandOutcome, Investigated, Round, StepQuestion } from './port';
import { lostWithCommits, unknownCommits } from './unknown-commits';

/** What a model is told of earlier steps, and of each kind of thing that was learnt. */
const EARLIER_STEPS = 5;
const MOST_REMEMBERED = 12;

/** What was said and done in this step so far. */
export interface StepPast {
  replies: ReplyRow[];
  journal: JournalEntry[];
  lost: ReadonlySet<string>;
}

/** Before anything was opened. */
export const BLANK_LOOK: PageLook = { lookId: '', url: 'about:blank', title: '', tabs: [], nodes: [] };

/** Puts together what the model is told, from what the store remembers of this step. */
export async function questionFor(
  store: Store,
  input: Omit<DecideInput, 'validationMode' | 'bookkeeping'>,
): Promise<{ question: StepQuestion; unknownCommits: UnknownCommit[]; past: StepPast; variables: VariableRow[] }> {
  const { sessionId, stepIndex, step, turn, maxIterations, mayAct, triedFrom, mayInvestigate } = input;
  const [replies, journal, look, variables, earlier, phases] = await Promise.all([
    store.memory.repliesOf(sessionId, stepIndex),
    store.journal.ofStep(sessionId, stepIndex),
    store.memory.look(sessionId),
    store.variables.ofSession(sessionId),
    store.memory.earlierSteps(sessionId, stepIndex, EARLIER_STEPS),
    store.investigations.of({ sessionId, stepIndex, turn }),
  ]);
  const { entries: memory } = await store.workingMemory.recall(sessionId, pageKey(look?.url ?? ''), MOST_REMEMBERED);
  const lost = lostWithCommits(journal);
  const question: StepQuestion = {
    instruction: step.instruction,
    stepIndex,
    iteration: turn - (triedFrom ?? 0),
    maxIterations,
    mayAct,
    rounds: replies.filter((reply) => reply.turn < turn).map((reply) => toRound(reply, journal, lost)),
    look: look ?? BLANK_LOOK,
    variables: variables.map((variable) => variable.name),
    ...(triedFrom === undefined ? {} : { triedFrom }),
    ...(mayInvestigate === true ? { mayInvestigate } : {}),
    ...(phases.length === 0 ? {} : { investigation: investigatedIn(phases) }),
    ...(memory.length === 0 ? {} : { memory }),
    ...(earlier.length === 0 ? {} : { earlier }),
  };
  return { question, unknownCommits: unknownCommits(journal), past: { replies, journal, lost }, variables };
}

/** What an investigation came to: of an element that two phases speak of, the later word counts. */
export function investigatedIn(phases: readonly PhaseRow[]): Investigated {
  const judgements = phases.flatMap(({ judgement }) => (judgement === null ? [] : [judgement]));
  const elements = new Map(judgements.flatMap((each) => each.elements).map((element) => [element.selector, element]));
  return { summaries: judgements.map(({ summary }) => summary), elements: [...elements.values()] };
}

function toRound(
  { turn, reply, commands: planned, repeatAt }: ReplyRow,
  journal: readonly JournalEntry[],
  lost: ReadonlySet<string>,
): Round {
  const outcomes = reply.commands.map((command, position): CommandOutcome => {
    const entry = journal.find(({ commandId }) => commandId === planned[position]?.commandId);
    const { action, parameters } = command;
    if (position === repeatAt) return { action, parameters, status: 'skipped', isRepeat: true };
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
  return { turn, decision, reasoning, commands, context, outcomes };
}
