import { createHash } from 'node:crypto';
import { resolveAgentConfig, type AgentConfig } from '../../contracts/tasks/agent-config';
import { BUDGET_SPENT } from '../../contracts/models/budget';
import { CALL_HELD } from '../../contracts/models/model-limits';
import { faultPoint } from '../../runtime/fault-point';
import type { ReplyMessage, TurnKey } from '../../store/models/messages';
import type { ActivityCall } from '../activity';
import type { ModelTurnInput } from '../task-activities';
import type { SessionValues } from '../secrets/session-values';
import { EngineError, toStandardError } from '../failures';
import { fenceNonce, type DecideDeps } from '../models/steps/decide';
import { createModelCallRecorder, type ModelCallRecorder } from '../models/calls/model-call-recorder';
import type { TurnResult, TurnOptions, TurnRequest } from '../models/port';
import { ProviderError } from '../models/providers/provider-error';
import { BLANK_SNAPSHOT } from '../models/steps/decision-request';
import { turnId } from '../models/steps/reply-records';
import { contextWindowOf } from '../models/calls/context-window';
import type { ToolRegistry } from '../tools/port';
import { FULL_VIEW, SHORT_VIEW } from './conversation';
import { saveIncomingMessages } from './incoming-messages';
import { earlierTurns } from './earlier-turns';
import { agentSystemPrompt } from './prompts/system';
import { storable } from './storable';
import { buildModelMessages, type ConversationContext } from './model-messages';
import { failedRecord, startRecord } from './turn-records';
import { turnStream } from './turn-stream';

export interface ModelTurnDeps extends Pick<DecideDeps, 'store' | 'resolveModel' | 'pricing' | 'limits'> {
  toolRegistry: ToolRegistry;
  /** Where the values of secrets are that a session names by their variables. */
  env: NodeJS.ProcessEnv;
}

/** No answer that can be used is longer; a model that never ends is. */
const LONGEST_REPLY = 1_000_000;

/** Of a model's window, for the conversation. */
const WINDOW_SHARE = 0.75;

/** Asks the model, once; a second time with less of the conversation where it was too long for it. Keeps its reply. */
export async function askModel(
  deps: ModelTurnDeps,
  input: ModelTurnInput,
  values: SessionValues,
  call: ActivityCall,
): Promise<ReplyMessage> {
  const { store, resolveModel, toolRegistry } = deps;
  const { sessionId, stepIndex, turn, step, ai } = input;
  const place: TurnKey = { sessionId, stepIndex, turn };
  const [session, variables, look, tools] = await Promise.all([
    store.sessions.get(sessionId),
    store.variables.ofSession(sessionId),
    store.memory.snapshot(sessionId),
    toolRegistry.declarations(sessionId),
  ]);
  // Sessions of before there were tasks have none.
  const agent: AgentConfig = session?.plan.config.agent ?? resolveAgentConfig();
  const names = [...variables.map(({ name }) => name), ...Object.keys(session?.plan.secrets ?? {})];
  const maxSteps = step.task?.maxSteps ?? agent.maxSteps;
  const pictures = await saveIncomingMessages(deps, input, { names, maxSteps });
  faultPoint('before-turn', sessionId);

  const model = resolveModel(ai.model);
  const scene: ConversationContext = {
    store,
    place,
    step,
    names,
    model,
    limits: {
      size: agent.maxHistorySize,
      // What is told beside the conversation, and the reply, need room too.
      tokens: Math.min(agent.maxHistoryTokens, (contextWindowOf(ai.model) ?? Infinity) * WINDOW_SHARE),
    },
    nonce: fenceNonce(`${session?.executorSessionId ?? sessionId}/conversation`, 0),
    pictures,
  };
  const question: Omit<TurnRequest, 'messages'> = {
    system: agentSystemPrompt(agent.systemPrompt),
    tools,
    task: step.instruction,
    url: step.task?.url,
    stepIndex,
    turn,
    maxSteps,
    snapshot: look ?? BLANK_SNAPSHOT,
    variables: names,
    ...(agent.executor === 'playwright' || ai.model !== 'rules'
      ? {}
      : { remotePageText: await store.toolCalls.lastText(sessionId, ['read_page']) }),
    pastTurns: ai.model === 'rules' ? await earlierTurns(store, sessionId, stepIndex) : [],
  };
  const hearing = createModelCallRecorder(deps, place, call, turnStream(values));
  let told = { responseId: '', previousResponseId: '' };
  /** Null when an attempt that was taken for dead has the reply by now. */
  const turned = async (telling: typeof FULL_VIEW, number: number): Promise<TurnResult | null> => {
    const { messages, previousResponseId } = await buildModelMessages(scene, telling, { ...listening(hearing), ai });
    const id = `${call.activityId}.${call.attempt}.${number}`;
    told = { responseId: responseIdOf(place, id), previousResponseId };
    const start = (isRestart: boolean) => ({
      ...startRecord(place, id, { ...told, model: ai.model, isRestart }),
      attempt: call.attempt,
    });
    const starts = { first: start(false), again: start(true) };
    if (!(await store.messages.begin(place, { runId: call.runId }, starts))) return null;
    const answering = model.turn({ ...question, messages }, { ...limited(hearing, ai.model), ai });
    faultPoint('during-model-call', sessionId);
    return await answering;
  };
  try {
    const answer = await turned(FULL_VIEW, 0).catch((error: unknown) => {
      if (error instanceof ProviderError && error.kind === 'too-long') return turned(SHORT_VIEW, 1);
      throw error;
    });
    await hearing.settle();
    if (answer === null) return (await store.messages.reply(place))!;
    const { usage, cost } = await store.modelCalls.usageOfTurn(sessionId, stepIndex, turn);
    const reply = { ...toReply(place, answer), ...told, usage, cost };
    // `rules` reads the newest look itself: that is where its refs are from.
    if (ai.model === 'rules' && look !== null) await store.memory.saveShownSnapshot(sessionId, look);
    await store.messages.save(place, reply);
    // An attempt that was taken for dead may have been faster: its reply counts.
    return (await store.messages.reply(place)) ?? reply;
  } catch (error) {
    await tellFailure(deps, place, call, { ...told, model: ai.model }, error, values);
    throw error;
  } finally {
    hearing.close();
  }
}

function toReply(
  place: TurnKey,
  answer: TurnResult,
): Omit<ReplyMessage, 'usage' | 'cost' | 'responseId' | 'previousResponseId'> {
  const { text, thoughts, functionCalls, stopReason, raw, usage, model, isGivenUp } = storable(answer);
  const calls = functionCalls.map(({ id, name, args }, position) => ({
    callId: `call_${digest(`${turnId(place)}.${position}`)}`,
    ...(id === undefined ? {} : { functionId: id }),
    name,
    args,
  }));
  const size = calls.reduce((sum, { args }) => sum + args.length, text.length);
  if (size > LONGEST_REPLY) throw tooMuch(model);
  const isCut = stopReason === 'max_tokens';
  const windowTokens = usage.inputTokens + usage.outputTokens;
  return { kind: 'reply', text, thoughts, calls, isCut, raw, model, windowTokens, ...(isGivenUp ? { isGivenUp } : {}) };
}

function responseIdOf(place: TurnKey, id: string): string {
  return `resp_${digest(`${turnId(place)}/${id}`)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A summary is nobody's answer: its words are not told. */
function listening(hearing: ModelCallRecorder): Pick<TurnOptions, 'signal' | 'listener'> {
  return { signal: hearing.signal, listener: { ...hearing, delta: () => {}, thought: () => {} } };
}

/** Gives a call up that writes on and on. */
function limited(hearing: ModelCallRecorder, model: string): Pick<TurnOptions, 'signal' | 'listener'> {
  const own = new AbortController();
  let received = 0;
  const counted = (tellIt: (text: string) => void) => (text: string) => {
    received += text.length;
    if (received > LONGEST_REPLY) own.abort(tooMuch(model));
    else tellIt(text);
  };
  return {
    signal: AbortSignal.any([hearing.signal, own.signal]),
    listener: { ...hearing, delta: counted(hearing.delta), thought: counted((text) => hearing.thought?.(text)) },
  };
}

function tooMuch(model: string): ProviderError {
  return new ProviderError('truncated', `${model} wrote more than ${LONGEST_REPLY} characters, so it was given up.`);
}

/** Only what this model will not be asked again for: another attempt says by itself that it begins anew. */
async function tellFailure(
  { store }: ModelTurnDeps,
  place: TurnKey,
  call: ActivityCall,
  told: { responseId: string; previousResponseId: string; model: string },
  error: unknown,
  values: SessionValues,
): Promise<void> {
  const { retryable, message } = toStandardError(error, 'TL002');
  if (retryable || told.responseId === '' || call.signal.aborted || isOnlyHeld(error)) return;
  const record = failedRecord(place, `${call.activityId}.${call.attempt}`, { ...told, reason: values.redact(message) });
  await store.log.append(place.sessionId, [record], { guard: { runId: call.runId } }).catch(() => {});
}

/** The call was not made, and is made when the session may: nothing has failed. */
function isOnlyHeld(error: unknown): boolean {
  return error instanceof EngineError && [CALL_HELD, BUDGET_SPENT].includes(error.more.type ?? '');
}
