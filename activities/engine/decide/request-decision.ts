import { createHash } from 'node:crypto';
import { AIResponseSchema, DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { Sighting } from '../../../contracts/recipes/sighting';
import type { Floors } from '../../../runtime/settings/floors/floor-issues';
import { faultPoint } from '../../../runtime/fault-point';
import type { ReplyRow } from '../../../store/models/step-memory';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { DecideInput } from '../../signatures/engine-activities';
import { fingerprintOf } from '../../recorded/fingerprint';
import { EngineError } from '../../activity/failures';
import { DEFAULT_RECIPE_POLICY, isLearntFrom, replayModeOf, type RecipePolicy } from '../recipes/replay-mode';
import { sightingOf } from '../recipes/sighting';
import { sessionModel } from '../models/session-model';
import { createModelCallRecorder, type RecorderDeps } from '../models/calls/model-call-recorder';
import type { DecisionRequest, DecisionResult, Model, ModelResolver } from '../../../contracts/model-port/port';
import { customSystemPrompt } from '../models/prompts/custom-system-prompt';
import { type AssembledRequest, type StepHistory } from './decision-request';
import { beginsNextStep, judgingRow } from '../models/begun-step';
import { decideByReading } from '../models/decide-by-reading';
import { contradicted, warningsAgainst } from './contradict';
import { toReplyRow } from './reply-row';
import { areAllDone, withoutRepeats } from './repeats';
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

/** Asks the model, and stores its reply; `answer` is what it said where this attempt's reply is the one that counts. */
export async function requestDecision(
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
    const options = {
      signal: recorder.signal,
      ai,
      validationMode,
      nonce: fenceNonce(session?.executorSessionId ?? sessionId, stepIndex),
      listener: recorder,
      ...(system === undefined ? {} : { system }),
    };
    const model = (): Promise<Model> => sessionModel(deps, sessionId, ai);
    const answering =
      input.reading === undefined
        ? (await model()).decide(request, options)
        : decideByReading(input.reading, model, { request, history }, options);
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
export function sightFor(
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
    isOfRules: answer.model === 'rules' || input.reading !== undefined,
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
