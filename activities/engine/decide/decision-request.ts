import { isUnread } from '../../../contracts/models/reading';
import { BLANK_SNAPSHOT } from '../../../contracts/browsers/page-snapshot';
import { DEFAULT_OBSERVATION } from '../../../contracts/browsers/observation';
import { z } from 'zod';
import { asLostWithBrowser } from '../../../contracts/commands/evidence';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import { pageKey } from '../../../contracts/steps/working-memory';
import type { PhaseRow } from '../../../store/models/investigations';
import type { JournalEntry } from '../../../store/journal/journal';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { Store } from '../../../store/store';
import type { VariableRow } from '../../../store/sessions/variables';
import type { DecideInput, UnknownCommit } from '../../signatures/engine-activities';
import { EngineError, isOutage } from '../../activity/failures';
import type {
  PastCommand,
  InvestigationResult,
  PastIteration,
  DecisionRequest,
} from '../../../contracts/model-port/port';
import { nextStepOf } from '../models/begun-step';
import { doneByPersons } from '../../recorded/done-by-persons';
import { lostWithCommits, unknownCommits } from './unknown-commits';
import { issuesOf, issuesText } from '../../../contracts/errors/issues';
import { loadPicture } from '../models/load-image';

/** The most earlier steps, and entries of each kind of working memory, in a request. */
const MOST_EARLIER_STEPS = 5;
const MOST_REMEMBERED = 12;
const MOST_NOTES = 12;
const MOST_LATER_STEPS = 5;

/** The replies and commands of this step so far. */
export interface StepHistory {
  replies: ReplyRow[];
  journal: JournalEntry[];
  lost: ReadonlySet<string>;
}

type RequestInput = Omit<DecideInput, 'outbox'>;

export interface AssembledRequest {
  request: DecisionRequest;
  unknownCommits: UnknownCommit[];
  history: StepHistory;
  variables: VariableRow[];
  /** Undefined where the session's row was deleted. */
  session: SessionRow | undefined;
  /** Whether a page of this session may show a secret. */
  hasSecrets: boolean;
}

/** Checks the outline of a stored snapshot. */
const SnapshotSchema = z.object({
  snapshotId: z.string(),
  url: z.string(),
  title: z.string(),
  tabs: z.array(z.object({ title: z.string(), url: z.string(), isActive: z.boolean() })),
  nodes: z.array(z.union([z.string(), z.object({ role: z.string() })])),
});

/**
 * Assembles the request of a decision from the store; results of steps are read once `outboxWritten` resolves.
 * Throws CM004 where a stored part has the wrong form, CM003 where the
 * request can't be assembled for another reason.
 */
export async function assembleDecisionRequest(
  store: Store,
  input: RequestInput,
  outboxWritten: Promise<void> = Promise.resolve(),
): Promise<AssembledRequest> {
  try {
    return await assemble(store, input, outboxWritten);
  } catch (cause) {
    if (cause instanceof EngineError || isOutage(cause)) throw cause;
    const message = `The request to the model for step ${input.stepIndex + 1} could not be assembled.`;
    throw new EngineError('CM003', message, { cause });
  }
}

async function assemble(store: Store, input: RequestInput, outboxWritten: Promise<void>): Promise<AssembledRequest> {
  const { sessionId, stepIndex, step, turn, mayAct, triedFrom, mayInvestigate, freshFrom = 0, laterSteps } = input;
  const [allReplies, allCommands, snapshot, variables, session, earlierSteps, notes, phases, acts] = await Promise.all([
    store.memory.repliesOf(sessionId, stepIndex),
    store.journal.ofStep(sessionId, stepIndex),
    store.memory.snapshot(sessionId),
    store.variables.ofSession(sessionId),
    store.sessions.get(sessionId),
    outboxWritten.then(() => store.memory.earlierSteps(sessionId, stepIndex, MOST_EARLIER_STEPS)),
    store.memory.notes(sessionId, stepIndex, MOST_NOTES),
    store.investigations.of({ sessionId, stepIndex, turn }),
    doneByPersons(store, sessionId, stepIndex),
  ]);
  const replies = allReplies.filter((reply) => reply.turn >= freshFrom);
  const journal = allCommands.filter((entry) => entry.turn >= freshFrom);
  const observation = session?.plan.config.observation ?? DEFAULT_OBSERVATION;
  if (snapshot !== null && !SnapshotSchema.safeParse(snapshot).success)
    throw new EngineError('CM004', `The last page snapshot of session ${sessionId} is stored in another form.`);
  const { entries: memory } = await store.workingMemory.recall(
    sessionId,
    pageKey(snapshot?.url ?? ''),
    MOST_REMEMBERED,
  );
  const secrets = Object.keys(session?.plan.secrets ?? {});
  const hasSecrets = secrets.length > 0 || variables.some(({ env }) => env !== null);
  const lost = lostWithCommits(journal);
  const earlier = replies.filter((reply) => reply.turn < turn);
  const unreadTurns = earlier.filter((row) => row.turn >= (triedFrom ?? 0) && isUnread(row.reply.context)).length;
  const pastIterations = earlier
    .filter(({ reply }) => !isUnread(reply.context))
    .map((reply) => toPastIteration(reply, journal, lost));
  const steps = session?.plan.steps ?? [];
  const unknown = unknownCommits(journal);
  const nextStep =
    laterSteps === undefined
      ? nextStepOf(steps, stepIndex, { mayAct, pastIterations, hasUnknown: unknown.length > 0 })
      : undefined;
  const request: DecisionRequest = {
    instruction: step.instruction,
    stepIndex,
    iteration: turn - (triedFrom ?? 0) - unreadTurns,
    maxIterations: step.options.maxIterations,
    mayAct,
    pastIterations,
    snapshot: snapshot ?? BLANK_SNAPSHOT,
    pageCharacters: observation.maxCharacters,
    picture: await loadPicture(store, sessionId, snapshot?.picture),
    variables: [...variables.map((variable) => variable.name), ...secrets],
    variableValues: Object.fromEntries(
      variables.flatMap(({ name, value, env }) => (env === null && value !== null ? [[name, value]] : [])),
    ),
    ...(triedFrom === undefined ? {} : { triedFrom }),
    ...(mayInvestigate === true ? { mayInvestigate } : {}),
    ...(phases.length === 0 ? {} : { investigation: mergeJudgements(phases) }),
    ...(memory.length === 0 ? {} : { memory }),
    ...(acts.length === 0 ? {} : { doneByPersons: acts }),
    ...(earlierSteps.length === 0 ? {} : { earlierSteps }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(nextStep === undefined ? {} : { nextStep }),
    outcomes: session?.plan.config.outcomes,
    laterSteps: (laterSteps ?? steps.slice(stepIndex + 1).map(({ instruction }) => instruction)).slice(
      0,
      MOST_LATER_STEPS,
    ),
  };
  return {
    request,
    unknownCommits: unknown,
    history: { replies, journal, lost },
    variables,
    session: session ?? undefined,
    hasSecrets,
  };
}

/** Merges the judgements of the phases; the later judgement of an element wins. */
export function mergeJudgements(phases: readonly PhaseRow[]): InvestigationResult {
  const judgements = phases.flatMap(({ judgement }) => (judgement === null ? [] : [judgement]));
  const elements = new Map(judgements.flatMap((each) => each.elements).map((element) => [element.selector, element]));
  return { summaries: judgements.map(({ summary }) => summary), elements: [...elements.values()] };
}

function toPastIteration(
  { turn, reply, commands: planned, repeatAt }: ReplyRow,
  journal: readonly JournalEntry[],
  lost: ReadonlySet<string>,
): PastIteration {
  const parsed = AIResponseSchema.safeParse(reply);
  if (!parsed.success) {
    const issues = issuesText(issuesOf(parsed.error));
    throw new EngineError('CM004', `Reply ${turn} of the step is stored in another form: ${issues}.`);
  }
  if (repeatAt === undefined && planned.length !== reply.commands.length)
    throw new Error(`Reply ${turn} has ${reply.commands.length} commands, and ${planned.length} were planned for it.`);
  const outcomes = reply.commands.map((command, position): PastCommand => {
    const own = planned[position]?.commandId;
    // A person may have been asked about it once more.
    const entry = journal.findLast(({ commandId }) => commandId === own || commandId === `${own}-again`);
    const { within } = planned[position] ?? {};
    const said = {
      action: command.action,
      parameters: command.parameters,
      ...(within === undefined ? {} : { within }),
    };
    if (position === repeatAt) return { ...said, status: 'skipped', isRepeat: true };
    if (entry === undefined || entry.status === 'intended') return { ...said, status: 'skipped' };
    const { resolution } = entry;
    const evidence = lost.has(entry.commandId) ? asLostWithBrowser(entry.evidence) : entry.evidence;
    return {
      ...said,
      status: entry.status,
      ...(entry.error === undefined ? {} : { error: { code: entry.error.code, message: entry.error.message } }),
      ...(evidence === undefined ? {} : { evidence }),
      ...(resolution === undefined ? {} : { resolution: { by: resolution.by, happened: resolution.happened } }),
    };
  });
  const { decision, reasoning, commands, context } = reply;
  return { turn, decision, reasoning, commands, context, outcomes };
}
