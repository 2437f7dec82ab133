import { imageProblem } from '../../contracts/models/model-name';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { Step } from '../../contracts/sessions/start-request';
import { resolveAgentConfig, type AgentConfig } from '../../contracts/tasks/agent-config';
import { faultPoint } from '../../runtime/fault-point';
import type { Store } from '../../store/store';
import { EngineError } from '../failures';
import { contextWindowOf } from '../models/calls/context-window';
import type { TurnRequest } from '../models/port';
import { BLANK_SNAPSHOT } from '../models/steps/decision-request';
import { fenceNonce, type DecideDeps } from '../models/steps/decide';
import { readWholeStep } from '../sessions/stored-steps';
import type { ModelTurnInput } from '../task-activities';
import { DONE } from '../tools/done-tool';
import type { ToolRegistry } from '../tools/port';
import { earlierTurns } from './earlier-turns';
import { saveIncomingMessages } from './incoming-messages';
import type { ConversationContext } from './model-messages';
import { agentSystemPrompt } from './prompts/system';

export interface ModelTurnDeps extends Pick<DecideDeps, 'store' | 'resolveModel' | 'pricing' | 'limits'> {
  toolRegistry: ToolRegistry;
  /** Has the values of the secrets that a session names by their environment variables. */
  env: NodeJS.ProcessEnv;
}

export interface PreparedTurn {
  context: ConversationContext;
  /** Without the messages, which depend on how much of the conversation fits. */
  request: Omit<TurnRequest, 'messages'>;
  snapshot: PageSnapshot | null;
}

/** The share of a model's context window that the conversation may fill: the rest of the request and the reply need room. */
const WINDOW_SHARE = 0.75;

/** Saves the messages that this turn begins with, and puts together what the model is asked. */
export async function prepareTurn(deps: ModelTurnDeps, input: ModelTurnInput): Promise<PreparedTurn> {
  const { store, resolveModel, toolRegistry } = deps;
  const { sessionId, stepIndex, turn } = input;
  const { aiConfig: ai } = input.step.options;
  const { model } = ai;
  const step = await wholeStepOf(store, input);
  const [session, variables, snapshot, tools] = await Promise.all([
    store.sessions.get(sessionId),
    store.variables.ofSession(sessionId),
    store.memory.snapshot(sessionId),
    toolRegistry.declarations(sessionId),
  ]);
  const agent: AgentConfig = session?.plan.config.agent ?? resolveAgentConfig();
  const names = [...variables.map(({ name }) => name), ...Object.keys(session?.plan.secrets ?? {})];
  const maxSteps = step.task?.maxSteps ?? agent.maxSteps;
  if (model === 'rules' && (step.task?.images ?? []).length > 0)
    throw new EngineError('AI005', `The task has images, and ${imageProblem(model)}.`);
  const pictures = await saveIncomingMessages(deps, { ...input, step }, { names, maxSteps });
  faultPoint('before-turn', sessionId);
  const isRules = model === 'rules';
  return {
    snapshot,
    context: {
      store,
      turn: { sessionId, stepIndex, turn },
      step,
      names,
      model: resolveModel(ai),
      limits: {
        size: agent.maxHistorySize,
        tokens: Math.min(agent.maxHistoryTokens, (contextWindowOf(model) ?? Infinity) * WINDOW_SHARE),
      },
      nonce: fenceNonce(`${session?.executorSessionId ?? sessionId}/conversation`, 0),
      pictures,
    },
    request: {
      system: agentSystemPrompt(agent.systemPrompt),
      // A caller's own tool of this name takes its place.
      tools: isRules || tools.some(({ name }) => name === DONE.name) ? tools : [...tools, DONE],
      task: step.instruction,
      url: step.task?.url,
      stepIndex,
      turn,
      maxSteps,
      snapshot: snapshot ?? BLANK_SNAPSHOT,
      variables: names,
      ...(isRules && agent.executor !== 'playwright'
        ? { remotePageText: await store.toolCalls.lastText(sessionId, ['read_page']) }
        : {}),
      pastTurns: isRules ? await earlierTurns(store, sessionId, stepIndex) : [],
    },
  };
}

async function wholeStepOf(store: Store, { sessionId, stepIndex, step }: ModelTurnInput): Promise<Step> {
  const { textIn, options } = step;
  return textIn === undefined ? step : { ...(await readWholeStep(store, { sessionId, stepIndex, textIn })), options };
}
