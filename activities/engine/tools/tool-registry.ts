import { BrowserActionSchema, EFFECT_CLASS } from '../../../contracts/commands/commands';
import { toPagePattern } from '../../../contracts/recipes/page-pattern';
import { DEFAULT_TENANT } from '../../../contracts/sessions/start-request';
import { resolveAgentConfig } from '../../../contracts/tasks/agent-config';
import { BROWSER_TOOLS, isBrowserTool } from '../../../contracts/tools/browser-tools';
import type { PlannedCall } from '../../../contracts/tools/planned-call';
import type { NewToolCall } from '../../../store/journal/tool-calls';
import type { SessionRow } from '../../../store/sessions/sessions';
import type { Store } from '../../../store/store';
import { loadSessionValues } from '../../secrets/session-values';
import { EngineError } from '../../activity/failures';
import type { FunctionTool } from '../../../contracts/model-port/language-model';
import { BLANK_SNAPSHOT } from '../../../contracts/browsers/page-snapshot';
import { turnId } from '../models/replies/reply-records';
import type { TurnKey } from '../../../store/models/messages';
import { toReplySchema } from '../models/replies/reply-schema';
import { cappedArguments, readArguments, Refusal } from './planning/arguments';
import { withObjects } from './planning/object-texts';
import { hostOf } from './planners/sites';
import type { EngineTools } from './engine-tools';
import type { CallPlanContext } from './planning/call-facts';
import { offeredTools, planToolCall, unknownToolsProblem } from './planning/plan-call';
import { toPortableSchema } from '../models/portable-schema';
import { requestOfPage, requestsOf } from './planning/sent-before';
import type { ToolRegistry, ModelToolCall } from './port';
import { toResultParts } from './running/result-parts';

export interface ToolRegistryDeps {
  store: Store;
  /** Where `{"env": "NAME"}` variables get their values. */
  env: NodeJS.ProcessEnv;
  /** Tools of the engine workers. */
  engineTools: EngineTools;
}

/** The tools of a session, for the loop that offers them to a model. */
export function createToolRegistry(deps: ToolRegistryDeps): ToolRegistry {
  const { store, engineTools } = deps;
  return {
    async declarations(sessionId) {
      const agent = agentOf(await store.sessions.get(sessionId));
      const problem = unknownToolsProblem({ agent, engineTools });
      if (problem !== undefined) throw new EngineError('SP001', problem);
      return offeredTools({ agent, engineTools }).map((name) => {
        const own = agent.clientTools?.find((each) => each.name === name);
        return own === undefined
          ? declarationOf(engineTools, name)
          : { ...own, parameters: toPortableSchema(own.parameters) };
      });
    },
    async plan(place, calls) {
      const context = await loadPlanContext(deps, place);
      const planned: PlannedCall[] = [];
      for (const [position, call] of calls.entries())
        planned.push(await planOne(deps, context, place, call, { position }));
      return planned;
    },
    async replan(place, callId, edited, isAskedAgain) {
      const row = await store.toolCalls.get(place.sessionId, callId);
      if (row === null) throw new Error(`There is no tool call ${callId} in session ${place.sessionId}.`);
      const { name, functionId, position } = row;
      const args = JSON.stringify(edited ?? row.args);
      const call = { callId, functionId, name, args };
      const isEdited = edited !== undefined;
      return await planOne(deps, await loadPlanContext(deps, place), place, call, { position, isEdited, isAskedAgain });
    },
    resultOf: (place, call, end) => toResultParts(deps, place, call, end),
  };
}

function declarationOf(engineTools: EngineTools, name: string): FunctionTool {
  if (isBrowserTool(name)) {
    const { description, parameters } = BROWSER_TOOLS[name];
    return { name, description, parameters: toPortableSchema(toReplySchema(parameters)) };
  }
  const { description, schema } = engineTools.get(name)!.tool;
  return { name, description, parameters: toPortableSchema(schema.parameters) };
}

/** Commands that can have sent something. */
const ACTING = BrowserActionSchema.options.filter((action) => EFFECT_CLASS[action] !== 'pure');

/** What calls are planned on: the page as it is now, what its controls have sent before, and the values of the session. */
export async function loadPlanContext(
  { store, env, engineTools }: ToolRegistryDeps,
  { sessionId, stepIndex }: TurnKey,
): Promise<CallPlanContext> {
  const [session, { newest, shown }, values, done] = await Promise.all([
    store.sessions.get(sessionId),
    store.memory.snapshots(sessionId),
    loadSessionValues(store, sessionId, env),
    store.journal.done(sessionId, ACTING),
  ]);
  const agent = agentOf(session);
  const shownText =
    agent.executor === 'playwright' ? '' : await store.toolCalls.lastText(sessionId, ['read_page', 'find']);
  const snapshot = newest ?? BLANK_SNAPSHOT;
  const tenant = session?.plan.tenant ?? DEFAULT_TENANT;
  const rounds = await store.recipes.sending(tenant, toPagePattern(snapshot.url));
  const clicks = done.filter(({ action }) => action === 'CLICK_ELEMENT');
  return {
    page: {
      snapshot,
      shownSnapshot: shown ?? snapshot,
      namedHosts: namedHostsOf(session, stepIndex),
      sentBefore: requestsOf(clicks, rounds, snapshot.url),
      requestOfPage: requestOfPage(done, snapshot.url),
    },
    values,
    agent,
    engineTools,
    shownText,
  };
}

function agentOf(session: SessionRow | null) {
  return session?.plan.config.agent ?? resolveAgentConfig();
}

/** Hosts that the person who started the session has named. The calls of an agent name none, but where it has begun. */
function namedHostsOf(session: SessionRow | null, stepIndex: number): string[] {
  const own = session?.plan.steps[stepIndex];
  const task = own?.task?.call === undefined ? own : session?.plan.steps[0];
  const written = [...(task?.instruction ?? '').matchAll(/https?:\/\/[^\s"'<>)]+/g)].map(([url]) => url);
  const allowed = session?.plan.config.executor.network?.allowedOrigins ?? [];
  return [task?.task?.url ?? '', ...written, ...allowed].map(hostOf).filter((host) => host !== '');
}

interface Planning {
  position: number;
  isEdited?: boolean;
  isAskedAgain?: true | undefined;
}

async function planOne(
  { store }: ToolRegistryDeps,
  context: CallPlanContext,
  place: TurnKey,
  call: ModelToolCall,
  { position, isEdited = false, isAskedAgain }: Planning,
): Promise<PlannedCall> {
  const { callId, functionId, name } = call;
  const commandId = `${turnId(place)}.${position}${isAskedAgain === true ? '-again' : ''}`;
  const parameters = foreignSchema(context, name);
  const { sessionId, stepIndex, turn } = place;
  let args: Record<string, unknown> = {};
  const keep = async (more: Pick<NewToolCall, 'commandId'>): Promise<void> =>
    await store.toolCalls.plan(
      sessionId,
      [{ callId, stepIndex, turn, position, name, args, parameters, functionId, ...more }],
      {
        isEdited,
      },
    );
  try {
    const given = readArguments(name, call.args);
    args = parameters === undefined ? given : withObjects(parameters, given);
    const planned = await planToolCall(context, { callId, functionId, name, commandId, args, isAskedAgain });
    await keep(planned.run.kind === 'browser' ? { commandId } : {});
    return planned;
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    await keep({});
    return refused(context, call, args, refusal.message);
  }
}

/** The schema that a person's edit of the arguments is checked with, where the call is approved. */
function foreignSchema({ agent, engineTools }: CallPlanContext, name: string): Record<string, unknown> | undefined {
  const own = agent.clientTools?.find((tool) => tool.name === name);
  return own === undefined ? engineTools.get(name)?.tool.schema.parameters : own.parameters;
}

function refused(
  { values, page }: CallPlanContext,
  { callId, functionId, name }: ModelToolCall,
  args: Record<string, unknown>,
  message: string,
): PlannedCall {
  return {
    callId,
    ...(functionId === undefined ? {} : { functionId }),
    name: values.redact(name).slice(0, 200),
    args: cappedArguments(values.redactAll(args)),
    hash: '',
    classification: 'read',
    effect: 'pure',
    run: { kind: 'refused', message: values.redact(message).slice(0, 4000) },
    scope: { tool: values.redact(name).slice(0, 200) },
    pageUrl: page.snapshot.url,
  };
}
