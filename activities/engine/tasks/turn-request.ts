import type { View } from '../../../contracts/browsers/viewport';
import { VENDOR_NAMES, VENDORS, type VendorDefinition } from '../../../contracts/models/vendors';
import { VIEWPORT } from '../../../contracts/browsers/viewport';
import { imageProblem } from '../../../contracts/models/model-name';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Step } from '../../../contracts/sessions/step-input';
import { resolveAgentConfig, type AgentConfig } from '../../../contracts/tasks/agent-config';
import type { FunctionTool } from '../../../contracts/model-port/language-model';
import type { BrowserToolName } from '../../../contracts/tools/browser-tools';
import { isImage } from '../../../contracts/tasks/given-history';
import { maxStepsOf } from '../../../contracts/results/extract-words';
import { faultPoint } from '../../../runtime/fault-point';
import type { TaskSighting } from '../../../contracts/recipes/sighting';
import type { Store } from '../../../store/store';
import { EngineError } from '../../activity/failures';
import { sessionModel } from '../models/session-model';
import { contextWindowOf } from '../models/calls/context-window';
import type { TurnRequest } from '../../../contracts/model-port/port';
import { BLANK_SNAPSHOT } from '../../../contracts/browsers/page-snapshot';
import { fenceNonce, type DecideDeps } from '../decide/request-decision';
import { stepProblems } from '../../recorded/step-problems';
import { extractionFacts } from '../../results/extraction-facts';
import { taskReplayMode } from '../recipes/repeatable-task';
import { valuesOf, variablesBefore } from '../recipes/spelling';
import { taskSighting, type SaidInTask } from '../recipes/task-sighting';
import { readWholeStep } from '../sessions/stored-steps';
import type { ModelTurnInput } from '../../signatures/task-activities';
import { DONE } from '../tools/done-tool';
import { firstTools, hasMoreTools, MORE_TOOLS } from '../tools/more-tools';
import type { ToolRegistry } from '../tools/port';
import { earlierTurns } from '../models/earlier-turns';
import type { KnownOfTask } from './end-doubts';
import { ledTask } from './led-task';
import { saveIncomingMessages } from './incoming-messages';
import { knownOfTask } from './known-of-task';
import type { ConversationContext } from './model-messages';
import { agentSystemPrompt } from './prompts/system';

export interface ModelTurnDeps extends Pick<
  DecideDeps,
  'store' | 'resolveModel' | 'pricing' | 'limits' | 'recipePolicy'
> {
  toolRegistry: ToolRegistry;
  /** Has the values of the secrets that a session names by their environment variables. */
  env: NodeJS.ProcessEnv;
}

export interface PreparedTurn {
  context: ConversationContext;
  /** Without the messages, which depend on how much of the conversation fits. */
  request: Omit<TurnRequest, 'messages'>;
  snapshot: PageSnapshot | null;
  /** What a reply with these words and calls sees, for a recipe; undefined where the task leaves none. */
  sight: ((said: SaidInTask) => TaskSighting) | undefined;
  /** What the end of the task is held against. */
  known: () => Promise<KnownOfTask | undefined>;
}

/** The tool that opens the address of a task. */
export const OPENING: BrowserToolName = 'navigate';

/** The share of a model's context window that the conversation may fill: the rest of the request and the reply need room. */
const WINDOW_SHARE = 0.75;

/** Saves the messages that this turn begins with, and puts together what the model is asked. */
export async function prepareTurn(deps: ModelTurnDeps, input: ModelTurnInput): Promise<PreparedTurn> {
  const { store, toolRegistry } = deps;
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
  const maxSteps = maxStepsOf(step, agent);
  if (model === 'rules' && ((step.task?.images ?? []).length > 0 || step.task?.history?.some(isImage)))
    throw new EngineError('AI005', `The task has images, and ${imageProblem(model)}.`);
  const isRules = model === 'rules';
  const result = step.task?.result;
  // The rules read the page themselves, and a browser of the caller has no snapshot here.
  const hasOwnPage = !isRules && agent.executor === 'playwright';
  const isForResult = [step, ...(session?.plan.steps ?? [])].some(({ task }) => task?.result !== undefined);
  const declared = isRules || !hasMoreTools(agent) ? tools : firstTools(tools, { isForResult });
  const isOpened = opensAddress(step, agent, tools, model);
  const pictures = await saveIncomingMessages(
    deps,
    { ...input, step },
    {
      names,
      maxSteps,
      hasOwnPage,
      isOpened,
      hasMoreTools: declared.includes(MORE_TOOLS),
    },
  );
  faultPoint('before-turn', sessionId);
  const { fail: problems } = hasOwnPage ? await stepProblems(store, { sessionId, stepIndex }, snapshot) : { fail: [] };
  const isLearnt = taskReplayMode(session?.plan, stepIndex, model, deps.recipePolicy) !== 'off';
  const known = valuesOf(variablesBefore(variables, stepIndex));
  const leading = await sessionModel(deps, sessionId, ai);
  const nonce = fenceNonce(`${session?.executorSessionId ?? sessionId}/conversation`, 0);
  const led =
    leading.saysDeeds === true
      ? await ledTask(store, { ...input, step }, { reading: session?.plan.config.reading, agent }, declared)
      : undefined;
  const view = agent.computerUse === true && !isRules ? await computerView(store, sessionId, model, agent) : undefined;
  return {
    snapshot,
    known: () => knownOfTask(store, input, step, agent, snapshot),
    sight: isLearnt ? (said) => taskSighting(snapshot ?? BLANK_SNAPSHOT, said, known) : undefined,
    context: {
      store,
      turn: { sessionId, stepIndex, turn },
      step,
      isOpened,
      names,
      model: leading,
      limits: {
        size: agent.maxHistorySize,
        tokens: Math.min(agent.maxHistoryTokens, (contextWindowOf(model, deps.env) ?? Infinity) * WINDOW_SHARE),
      },
      nonce,
      hasVendorTool: view !== undefined,
      pictures,
    },
    request: {
      system: agentSystemPrompt(agent.systemPrompt),
      // A caller's own tool of this name takes its place.
      tools: isRules || tools.some(({ name }) => name === DONE.name) ? declared : [...declared, DONE],
      view,
      task: step.instruction,
      url: step.task?.url,
      stepIndex,
      turn,
      maxSteps,
      snapshot: snapshot ?? BLANK_SNAPSHOT,
      variables: names,
      outcomes: session?.plan.config.outcomes,
      contradiction: problems.length === 0 ? undefined : problems.map(({ message }) => message).join(' '),
      ...(isRules && agent.executor !== 'playwright'
        ? { remotePageText: await store.toolCalls.lastText(sessionId, ['read_page']) }
        : {}),
      led: led === undefined ? undefined : { ...led, nonce },
      pastTurns: isRules ? await earlierTurns(store, sessionId, stepIndex) : [],
      ...(isRules && result !== undefined
        ? {
            extraction: await extractionFacts(store, input, result, {
              isStep: step.task?.isExtract === true,
              isRepair: input.isRepair === true,
            }),
          }
        : {}),
    },
  };
}

/** Whether the address of a task is opened before its model is asked: a call less, with the page in the first request. */
function opensAddress(
  { task = {} }: Pick<Step, 'task'>,
  { executor, computerUse }: AgentConfig,
  tools: readonly FunctionTool[],
  model: string,
): boolean {
  const isOwn = executor === 'playwright' && computerUse !== true && model !== 'rules';
  return isOwn && task.url !== undefined && tools.some(({ name }) => name === OPENING);
}

/** The step with its whole text, also where the workflow carries a reference to it. */
export async function wholeStepOf(store: Store, { sessionId, stepIndex, step }: ModelTurnInput): Promise<Step> {
  const { textIn, options } = step;
  return textIn === undefined ? step : { ...(await readWholeStep(store, { sessionId, stepIndex, textIn })), options };
}

/** The size of the view for the vendor's computer-use tool, as it was set last. Throws AI005 where the vendor has none. */
async function computerView(
  { journal }: Store,
  sessionId: string,
  model: string,
  { executor }: AgentConfig,
): Promise<View> {
  const vendor = VENDOR_NAMES.find((name) => model.startsWith(`${name}/`));
  const able = VENDOR_NAMES.filter((name) => (VENDORS[name] as VendorDefinition).hasComputerUse === true);
  if (executor === 'playwright' && vendor !== undefined && able.includes(vendor)) {
    const { width = VIEWPORT.width, height = VIEWPORT.height } =
      (await journal.done(sessionId, ['SET_VIEWPORT'])).at(-1)?.parameters ?? {};
    return { width, height };
  }
  const why = executor === 'playwright' ? `${model} has no computer-use tool here` : `the browser is another process's`;
  const what = `use a model of ${able.join(', ')} in the session's own browser, or leave computerUse out`;
  throw new EngineError('AI005', `config.agent.computerUse is set, and ${why}: ${what}.`);
}
