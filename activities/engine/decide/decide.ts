import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { DecisionAction } from '../../../contracts/models/ai-response';
import { isUnread, proposalsIn } from '../../../contracts/models/reading';
import type { NewRecord } from '../../../contracts/events/log';
import { judgementOf } from '../../../contracts/approvals/unknown-outcome';
import type { Floors } from '../../../runtime/settings/floors/floor-issues';
import { faultPoint } from '../../../runtime/fault-point';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { DecideInput, DecideOutput, UnknownCommit } from '../../signatures/engine-activities';
import { writeOutbox } from '../../activity/write-outbox';
import { proposeCheck } from '../recipes/proposed-check';
import { replayStep } from './replay-step';
import type { DecisionResult } from '../../../contracts/model-port/port';
import { noteExperience } from './learn';
import { assembleDecisionRequest, type AssembledRequest } from './decision-request';
import { begunReply } from '../models/begun-step';
import { NO_USAGE } from '../models/calls/language-call';
import { judgeOneCommand } from './one-command';
import { replyRecords } from '../models/replies/reply-records';
import { causeIn, investigationIn, validationIn } from './reply-facts';
import { requestDecision, sightFor, type DecideDeps } from './request-decision';

/** A decision, with the records that have to be in the log before its commands are run. */
export interface Decided {
  output: DecideOutput;
  records: NewRecord[];
  /** Of the session, as its row has it. */
  newestStep: number;
}

/** Has a model decide. A repeated attempt returns the stored reply, so that the model is called and paid once. */
export async function decide(deps: DecideDeps, input: DecideInput, call: ActivityCall): Promise<DecideOutput> {
  const { output, records } = await reachDecision(deps, input, call);
  await deps.store.log.append(input.sessionId, records, { guard: { runId: call.runId } });
  return output;
}

/** The same without its records in the log. */
export async function reachDecision(deps: DecideDeps, input: DecideInput, call: ActivityCall): Promise<Decided> {
  const { assembled, learning } = await prepare(deps.store, input, call);
  const stored = await knownReply(deps, input, assembled);
  const { row, answer } =
    stored === undefined ? await requestDecision(deps, input, assembled, call) : { row: stored, answer: undefined };
  return await reported(deps.store, input, assembled, { row, answer, floors: deps.floors }, learning);
}

/** The decision for which no model has to be called; undefined where one has to be. */
export async function reachFreeDecision(
  deps: DecideDeps,
  input: DecideInput,
  call: ActivityCall,
): Promise<Decided | undefined> {
  const { assembled, learning } = await prepare(deps.store, input, call);
  const row = await knownReply(deps, input, assembled);
  if (row === undefined) await learning;
  return (
    row && (await reported(deps.store, input, assembled, { row, answer: undefined, floors: deps.floors }, learning))
  );
}

/**
 * Assembles the request while the outbox is written. Once a step the session learns from the commands of the steps before it:
 * that is awaited once there is a reply, which it has no part in.
 */
async function prepare(
  store: Store,
  input: DecideInput,
  call: ActivityCall,
): Promise<{ assembled: AssembledRequest; learning: Promise<void> }> {
  const written = writeOutbox(store, input.sessionId, call.runId, input.outbox);
  // It resolves commands that the request reports.
  if (input.outbox.resolutions !== undefined) await written;
  const assembling = assembleDecisionRequest(store, input, written);
  const learning = input.turn === 0 ? noteExperience(store, input, assembling, call) : Promise.resolve();
  for (const each of [assembling, learning]) each.catch(() => {});
  // First: what it refuses counts, and it must not be written after what the next attempt writes.
  await written;
  return { assembled: await assembling, learning };
}

/** The reply that is stored, or that costs no call. */
async function knownReply(
  deps: DecideDeps,
  input: DecideInput,
  assembled: AssembledRequest,
): Promise<ReplyRow | undefined> {
  return (
    assembled.history.replies.find((reply) => reply.turn === input.turn) ??
    (await replayStep(deps, input, assembled)) ??
    (await saveFreeReply(deps, input, assembled))
  );
}

/** What the log and the workflow need to know of a reply. */
async function reported(
  store: Store,
  input: DecideInput,
  assembled: AssembledRequest,
  { row, answer, floors }: { row: ReplyRow; answer: DecisionResult | undefined; floors: Floors | undefined },
  learning: Promise<void>,
): Promise<Decided> {
  const { sessionId, turn } = input;
  const { history, session } = assembled;
  faultPoint('after-reply', sessionId);
  // A repeated attempt finds what has become of its own commands: the reply was made before them, and judges none.
  const unknown = assembled.unknownCommits.filter(
    ({ commandId }) => !row.commands.some((own) => own.commandId === commandId),
  );
  const unknownCommits = unknown.length === 0 ? [] : await withProposal(store, input, assembled, unknown);
  const { decision, reasoning } = row.reply;
  // A step that is refused before its first command can be gone on from with other words.
  const isRefused = decision.action === DecisionAction.ABORT && input.stepIndex > 0;
  const [billed, spent] = await Promise.all([
    store.modelCalls.usageOfTurn(sessionId, input.stepIndex, turn),
    store.modelCalls.spentBy(sessionId),
    learning,
    isRefused && store.stepCheckpoints.keep(sessionId, input.stepIndex),
  ]);
  const output: DecideOutput = {
    decision: decision.action,
    message: decision.message,
    confidence: reasoning.confidence,
    reasoning: [reasoning.analysis, reasoning.rationale].filter((text) => text !== '').join('\n'),
    commands: row.commands,
    model: row.model,
    spent,
    ...validationIn(turn, decision.resultValidation),
    ...investigationIn(row.reply.context),
    ...(isUnread(row.reply.context) ? { isUnread: true as const } : {}),
    proposals: proposalsIn(row.reply.context),
    ...(row.repeatAt === undefined ? {} : { hasRepeats: true }),
    ...(row.commands.length > 0 && asksForDeeds(session, floors) ? { asksForDeeds: true as const } : {}),
    ...(decision.action === DecisionAction.ABORT || !input.mayAct ? causeIn(history.journal) : {}),
    ...(unknownCommits.length === 0
      ? {}
      : {
          unknownCommits,
          hasCommit: row.reply.commands.some(({ action }) => EFFECT_CLASS[action] === 'commit'),
          judgement: judgementOf(row.reply.context),
        }),
  };
  return { output, records: replyRecords(input, row, billed, answer), newestStep: session?.currentStep ?? 0 };
}

/** A person who is asked about them learns where the site may show it. */
async function withProposal(
  store: Store,
  { stepIndex, step }: DecideInput,
  { session, variables, history, request }: AssembledRequest,
  unknown: UnknownCommit[],
): Promise<UnknownCommit[]> {
  // The steps of a login run in the place of another step, of which they know nothing.
  if (session?.plan.steps[stepIndex]?.instruction !== step.instruction) return unknown;
  const begunAt = history.replies[0]?.sighting?.url ?? request.snapshot.url;
  const proposedCheck = await proposeCheck(store, session.plan, stepIndex, { begunAt, variables });
  return proposedCheck === undefined ? unknown : unknown.map((each) => ({ ...each, proposedCheck }));
}

/** Steps are a person's own words: they ask where the request names an approval mode, or the operator has a floor. */
function asksForDeeds(session: AssembledRequest['session'], floors: Floors | undefined): boolean {
  const { asksInSteps, agent } = session?.plan.config ?? {};
  const isAsked = asksInSteps === true || (floors?.floors.approvalMode ?? 'yolo') !== 'yolo';
  return isAsked && agent !== undefined && agent.approvalMode !== 'yolo';
}

/**
 * Saves a reply that costs no call: the beginning of this step in the reply that completed the step before it, or the
 * judgement of a step that is one command long. Undefined where the model must be called.
 */
async function saveFreeReply(
  deps: DecideDeps,
  input: DecideInput,
  { request, history, unknownCommits, session }: AssembledRequest,
): Promise<ReplyRow | undefined> {
  const { store } = deps;
  const { sessionId, stepIndex, turn, step, reading } = input;
  const isOfRules = step.options.aiConfig.model === 'rules' || reading !== undefined;
  if (isOfRules || unknownCommits.length > 0) return undefined;
  if (turn === 0) {
    if (stepIndex === 0 || request.investigation !== undefined) return undefined;
    const begun = begunReply(await store.memory.repliesOf(sessionId, stepIndex - 1), request.snapshot);
    return begun && (await store.memory.saveReply(sessionId, stepIndex, begun));
  }
  const reply = judgeOneCommand(request, history.replies[0]?.commands ?? []);
  if (reply === undefined) return undefined;
  const sight = sightFor(deps, session, input);
  const sighting = sight(request.snapshot, step.instruction, [], request.laterSteps?.[0]);
  return await store.memory.saveReply(sessionId, stepIndex, {
    turn,
    reply,
    model: 'rules',
    usage: NO_USAGE,
    commands: [],
    sighting,
  });
}
