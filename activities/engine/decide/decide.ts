import { createHash } from 'node:crypto';
import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { AIResponseSchema, DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { Sighting } from '../../../contracts/recipes/sighting';
import { judgementOf } from '../../../contracts/approvals/unknown-outcome';
import type { Floors } from '../../../runtime/settings/floors/floor-issues';
import { faultPoint } from '../../../runtime/fault-point';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { DecideInput, DecideOutput } from '../../signatures/engine-activities';
import { writeOutbox } from '../../activity/write-outbox';
import { fingerprintOf } from '../../recorded/fingerprint';
import { EngineError } from '../../activity/failures';
import { DEFAULT_RECIPE_POLICY, isLearntFrom, replayModeOf, type RecipePolicy } from '../recipes/replay-mode';
import { replayStep } from './replay-step';
import { sightingOf } from '../recipes/sighting';
import { sessionModel } from '../models/session-model';
import { createModelCallRecorder, type RecorderDeps } from '../models/calls/model-call-recorder';
import type { DecisionRequest, DecisionResult, ModelResolver } from '../../../contracts/model-port/port';
import { noteExperience } from './learn';
import { customSystemPrompt } from '../models/prompts/custom-system-prompt';
import { assembleDecisionRequest, type AssembledRequest, type StepHistory } from './decision-request';
import { beginsNextStep, begunReply, judgingRow, NO_USAGE } from '../models/begun-step';
import { contradicted, warningsAgainst } from './contradict';
import { judgeOneCommand } from './one-command';
import { replyRecords } from '../models/replies/reply-records';
import { toReplyRow } from './reply-row';
import { areAllDone, withoutRepeats } from './repeats';
import { causeIn, investigationIn, validationIn } from './reply-facts';
import { issuesOf, issuesText } from '../../../contracts/errors/issues';

export interface DecideDeps extends RecorderDeps {
  resolveModel: ModelResolver;
  /** File of the operator's system prompt (SUREFOOT_SYSTEM_PROMPT). */
  systemPromptFile?: string | undefined;
  /** SUREFOOT_REPLAY and SUREFOOT_RECIPES_PROMOTED_BY of this worker. */
  recipePolicy?: RecipePolicy | undefined;
  /** What the operator has decided for all sessions. */
  floors?: Floors | undefined;
}

/** Has a model decide. A repeated attempt returns the stored reply, so that the model is called and paid once. */
export async function decide(deps: DecideDeps, input: DecideInput, call: ActivityCall): Promise<DecideOutput> {
  await writeOutbox(deps.store, input.sessionId, call.runId, input.outbox);
  const assembled = await assembleDecisionRequest(deps.store, input);
  // Once a step, from the commands of the steps before it.
  const learning = input.turn === 0 ? noteExperience(deps.store, input, assembled.variables, call) : Promise.resolve();
  // Awaited once there is a reply, which it has no part in.
  learning.catch(() => {});
  const stored = await knownReply(deps, input, assembled);
  const { row, answer } =
    stored === undefined ? await requestDecision(deps, input, assembled, call) : { row: stored, answer: undefined };
  await learning;
  return await reported(deps, input, assembled, { row, answer }, call);
}

/** The decision for which no model has to be called; undefined where one has to be. */
export async function decideFreely(
  deps: DecideDeps,
  input: DecideInput,
  call: ActivityCall,
): Promise<DecideOutput | undefined> {
  await writeOutbox(deps.store, input.sessionId, call.runId, input.outbox);
  const assembled = await assembleDecisionRequest(deps.store, input);
  const row = await knownReply(deps, input, assembled);
  if (row === undefined) return undefined;
  if (input.turn === 0) await noteExperience(deps.store, input, assembled.variables, call);
  return await reported(deps, input, assembled, { row, answer: undefined }, call);
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

/** Logs a reply, and says what the workflow needs to know of it. */
async function reported(
  deps: DecideDeps,
  input: DecideInput,
  assembled: AssembledRequest,
  { row, answer }: { row: ReplyRow; answer: DecisionResult | undefined },
  call: ActivityCall,
): Promise<DecideOutput> {
  const { store } = deps;
  const { sessionId, turn } = input;
  const { history, session } = assembled;
  faultPoint('after-reply', sessionId);
  // A repeated attempt finds what has become of its own commands: the reply was made before them, and judges none.
  const unknownCommits = assembled.unknownCommits.filter(
    ({ commandId }) => !row.commands.some((own) => own.commandId === commandId),
  );
  const [billed, spent] = await Promise.all([
    store.modelCalls.usageOfTurn(sessionId, input.stepIndex, turn),
    store.modelCalls.spentBy(sessionId),
  ]);
  await store.log.append(sessionId, replyRecords(input, row, billed, answer), { guard: { runId: call.runId } });

  const { decision, reasoning } = row.reply;
  return {
    decision: decision.action,
    message: decision.message,
    confidence: reasoning.confidence,
    reasoning: [reasoning.analysis, reasoning.rationale].filter((text) => text !== '').join('\n'),
    commands: row.commands,
    model: row.model,
    spent,
    ...validationIn(turn, decision.resultValidation),
    ...investigationIn(row.reply.context),
    ...(row.repeatAt === undefined ? {} : { hasRepeats: true }),
    ...(row.commands.length > 0 && asksForDeeds(session, deps.floors) ? { asksForDeeds: true as const } : {}),
    ...(decision.action === DecisionAction.ABORT || !input.mayAct ? causeIn(history.journal) : {}),
    ...(unknownCommits.length === 0
      ? {}
      : {
          unknownCommits,
          hasCommit: row.reply.commands.some(({ action }) => EFFECT_CLASS[action] === 'commit'),
          judgement: judgementOf(row.reply.context),
        }),
  };
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
  const { sessionId, stepIndex, turn, step } = input;
  if (step.options.aiConfig.model === 'rules' || unknownCommits.length > 0) return undefined;
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

async function requestDecision(
  deps: DecideDeps,
  input: DecideInput,
  { request, history, session }: AssembledRequest,
  call: ActivityCall,
): Promise<{ row: ReplyRow; answer: DecisionResult | undefined }> {
  const { store, systemPromptFile } = deps;
  const { sessionId, stepIndex, step } = input;
  const { aiConfig: ai, validationMode } = step.options;
  const system =
    systemPromptFile === undefined || ai.model === 'rules'
      ? undefined
      : await loadSystemPrompt(store, systemPromptFile, input, session?.plan.metadata ?? {});
  const recorder = createModelCallRecorder(deps, input, call);
  try {
    const model = await sessionModel(deps, sessionId, ai);
    const answering = model.decide(request, {
      signal: recorder.signal,
      ai,
      validationMode,
      nonce: fenceNonce(session?.executorSessionId ?? sessionId, stepIndex),
      listener: recorder,
      ...(system === undefined ? {} : { system }),
    });
    faultPoint('during-model-call', sessionId);
    const answer = await answering;
    const row = toRow(input, answer, request, history, sightFor(deps, session, input));
    await recorder.settle();
    const warnings = warningsAgainst(input, row.reply, request);
    if (warnings.length > 0) await store.log.append(sessionId, warnings, { guard: { runId: call.runId } });
    const stored = await store.memory.saveReply(sessionId, stepIndex, row);
    return { row: stored, answer: stored === row ? answer : undefined };
  } finally {
    recorder.close();
  }
}

type Sight = (...of: Parameters<typeof sightingOf>) => Sighting | undefined;

/** Notes what the replies of a model saw, as far as it will be learnt from. */
function sightFor(
  { recipePolicy = DEFAULT_RECIPE_POLICY }: DecideDeps,
  session: AssembledRequest['session'],
  { step, freshFrom }: DecideInput,
): Sight {
  // A step in the middle of which the session has signed in is not learnt.
  if (freshFrom !== undefined || !isLearntFrom(session?.plan, recipePolicy)) return () => undefined;
  // A step of the rules is not learnt, and shows what the step before it has led to.
  const isLearnt = replayModeOf(session?.plan, step.options.aiConfig.model, recipePolicy) !== 'off';
  return (snapshot, instruction, commands, next) => sightingOf(snapshot, instruction, isLearnt ? commands : [], next);
}

/** The row of a reply, without what would repeat earlier commands; it may begin the next step, and only judge this one. */
function toRow(
  input: DecideInput,
  answer: DecisionResult,
  request: DecisionRequest,
  history: StepHistory,
  sight: Sight,
): ReplyRow {
  const { snapshot, nextStep, instruction, laterSteps: [next, afterNext] = [] } = request;
  const digest = fingerprintOf(snapshot);
  const given = withoutNeedless(input, answer, request, history);
  const reply = contradicted(given, request, {
    isOfRules: answer.model === 'rules',
    isReflecting: input.step.options.reflectionEnabled,
  });
  if (nextStep === undefined || !beginsNextStep(reply, nextStep)) {
    const sighting = sight(snapshot, instruction, reply.commands, next);
    return withoutRepeats(toReplyRow(input, answer, reply, snapshot, sighting), history, digest);
  }
  const place = { sessionId: input.sessionId, stepIndex: nextStep.stepIndex, turn: 0 };
  const sighting = sight(snapshot, nextStep.instruction, reply.commands, afterNext);
  const begun = { ...toReplyRow(place, answer, reply, snapshot, sighting), snapshotDigest: digest };
  const judging = judgingRow(input.turn, begun, snapshot.snapshotId);
  return { ...judging, snapshotDigest: digest, sighting: sight(snapshot, instruction, [], next) };
}

/** A reply that would complete the step by what was done before takes the step as done. */
function withoutNeedless(
  { sessionId, stepIndex, turn }: DecideInput,
  answer: DecisionResult,
  { snapshot, nextStep }: DecisionRequest,
  history: StepHistory,
): AIResponse {
  const reply = parsedReply(answer);
  if (reply.decision.action !== DecisionAction.PROCEED || beginsNextStep(reply, nextStep)) return reply;
  if (history.journal.length === 0) return reply;
  const { commands } = toReplyRow({ sessionId, stepIndex, turn }, answer, reply, snapshot, undefined);
  const page = { turn, digest: fingerprintOf(snapshot), url: snapshot.url };
  return areAllDone(commands, history, page) ? { ...reply, commands: [] } : reply;
}

/** Loads the operator's system prompt. Undefined where the file is missing: one warning is logged for the session. */
async function loadSystemPrompt(
  store: Store,
  file: string,
  { sessionId, stepIndex, step: { instruction, options } }: DecideInput,
  metadata: Record<string, unknown>,
): Promise<string | undefined> {
  const prompt = await customSystemPrompt(file, { model: options.aiConfig.model, instruction, metadata });
  if (prompt.kind === 'ready') return prompt.system;
  const { code, message } = prompt.error;
  const eventId = `${sessionId}/prompt`;
  const warning = { id: eventId, code, message, timestamp: new Date(), sessionId, stepIndex };
  const record: NewRecord = {
    eventId,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: warning.timestamp.toISOString(),
    stepIndex,
    data: { warning },
  };
  await store.log.append(sessionId, [record]);
  return undefined;
}

/** The nonce that fences text from pages. All calls of a step share it, so that vendors can cache the prompt. */
export function fenceNonce(secret: string, stepIndex: number): string {
  return createHash('sha256').update(`${secret}/${stepIndex}`).digest('hex').slice(0, 12);
}

function parsedReply({ reply, model }: DecisionResult): AIResponse {
  const parsed = AIResponseSchema.safeParse(reply);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error);
  const message = `The reply of ${model} does not fit the reply schema: ${issuesText(issues)}`;
  throw new EngineError('TL003', message, { details: { issues } });
}
