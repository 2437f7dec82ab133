import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { AgentConfig, ClientTool } from '../../contracts/tasks/agent-config';
import {
  BROWSER_TOOLS,
  COMMON_BROWSER_TOOLS,
  isBrowserTool,
  type BrowserToolName,
} from '../../contracts/tools/browser-tools';
import { EFFECT_CLASS } from '../../contracts/commands/commands';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { fingerprintOf } from '../browsers/checkpoints/fingerprint';
import type { SessionValues } from '../secrets/session-values';
import { canonical, cappedArguments, checkArguments, invalid } from './arguments';
import { PLANNERS } from './browser';
import { hostOf } from './browser/going';
import { toBrowserCard, toConfirmationCard } from './confirmation-cards';
import { Refusal, type BrowserPlan, type CallFacts, type PlanContext } from './browser-plan';
import { surroundings } from './element';
import type { EngineTool, EngineTools } from './engine-tools';
import { remoteFacts } from './remote-call';
import { schemaCheck } from './schema-check';

/** What the calls of one turn are planned with. */
export interface CallPlanContext {
  page: PlanContext;
  values: SessionValues;
  agent: AgentConfig;
  engineTools: EngineTools;
  /** What a browser that is not ours has shown last: its refs are looked up in it. */
  shownText: string;
}

export interface CallToPlan {
  callId: string;
  functionId?: string | undefined;
  name: string;
  commandId: string;
  args: Record<string, unknown>;
}

/** How long a browser that is not ours may take (behaviours of S0's origin). */
const REMOTE_LIMIT_MS = { wait: 35_000, navigate: 30_000, other: 15_000 };
const CLIENT_LIMIT_MS = 600_000;
const CONFIRM_LIMIT_MS = 10_000;

/** Names of what this session's model may call, in the order in which it is offered. */
export function offeredTools({ agent, engineTools }: Pick<CallPlanContext, 'agent' | 'engineTools'>): string[] {
  const isOurs = agent.executor === 'playwright';
  const browser: readonly string[] = isOurs ? Object.keys(BROWSER_TOOLS) : COMMON_BROWSER_TOOLS;
  const own = (agent.clientTools ?? []).map(({ name }) => name);
  const names = [...browser, ...engineTools.list().map(({ tool }) => tool.name), ...own];
  return [...new Set(names)].filter((name) => agent.tools === undefined || agent.tools.includes(name));
}

/** Throws Refusal where the call is not to be run. */
export async function planCall(planning: CallPlanContext, call: CallToPlan): Promise<PlannedCall> {
  const { agent, engineTools } = planning;
  const names = offeredTools(planning);
  if (!names.includes(call.name))
    throw new Refusal(`Tool “${call.name}” not found in registry. The tools are ${names.join(', ')}.`);
  const own = agent.clientTools?.find(({ name }) => name === call.name);
  if (own !== undefined) {
    const wrong = own.parameters === undefined ? null : schemaCheck(own.parameters)(call.args);
    if (wrong !== null) throw invalid(call.name, wrong);
    return toPlannedCall(planning, call, clientFacts(own));
  }
  if (isBrowserTool(call.name)) return planBrowserCall(planning, call, call.name);
  return await planEngineCall(planning, call, engineTools.get(call.name)!);
}

function planBrowserCall(planning: CallPlanContext, call: CallToPlan, name: BrowserToolName): PlannedCall {
  const { agent, page: scene, shownText, values } = planning;
  const schema: z.ZodType<Record<string, unknown>> = BROWSER_TOOLS[name].parameters;
  const args = checkArguments(call.name, schema, call.args);
  if (agent.executor !== 'playwright') {
    const kind = agent.executor === 'relay' ? ('relay' as const) : ('client' as const);
    const isWait = args['action'] === 'wait';
    const timeoutMs = REMOTE_LIMIT_MS[isWait ? 'wait' : name === 'navigate' ? 'navigate' : 'other'];
    return toPlannedCall(
      planning,
      { ...call, args },
      { ...remoteFacts(name, args, shownText), run: { kind, timeoutMs } },
    );
  }
  const draftOf = PLANNERS[name] as (args: unknown, scene: PlanContext) => BrowserPlan;
  const draft = draftOf(args, scene);
  const { action, parameters, target, classification, navigatesTo, leadsTo = '', approvalScope: alike } = draft;
  const { url } = scene.snapshot;
  const command: PlannedCommand = {
    commandId: call.commandId,
    action,
    parameters,
    ...(target === undefined ? {} : { target }),
  };
  // “Always” is said of what was shown: the element on its site, and what has none on its page.
  const place = target === undefined ? url.split('#')[0] : hostOf(url);
  const isElsewhere = navigatesTo !== undefined || parameters.url !== undefined;
  const aim = target === undefined ? '' : canonical({ ...target, around: surroundings(scene.snapshot, target) });
  return toPlannedCall(
    planning,
    { ...call, args },
    {
      classification,
      effect: EFFECT_CLASS[action],
      card: toBrowserCard(
        redactPlan(draft, values.redactAll(args), (shown) => draftOf(shown, scene)),
        url,
      ),
      identity: `${url.split('#')[0]} ${aim}${leadsTo}`,
      run: { kind: 'browser', command },
      navigatesTo,
      pageUrl: url,
      actionDigest: digest(action, canonical(parameters), aim, fingerprintOf(scene.snapshot)),
      approvalScope: alike === undefined || isElsewhere ? alike : `${alike} on ${place}`,
    },
  );
}

/** What a card is made of: masked before anything is cut, or a secret that stands at the cut would be shown in part. */
function redactPlan(
  draft: BrowserPlan,
  shown: Record<string, unknown>,
  draftOf: (shown: Record<string, unknown>) => BrowserPlan,
): BrowserPlan {
  try {
    // What it is was judged by the whole: a card that is missing would ask nobody.
    return { ...draftOf(shown), classification: draft.classification };
  } catch (error) {
    // An address whose host was masked is none any more.
    if (!(error instanceof Refusal)) throw error;
    return draft;
  }
}

async function planEngineCall(planning: CallPlanContext, call: CallToPlan, found: EngineTool): Promise<PlannedCall> {
  const { tool, effect, classification, timeoutMs, server } = found;
  const limit = AbortSignal.timeout(CONFIRM_LIMIT_MS);
  const wrong = await refuseOnThrow(call.name, async () => tool.validateToolParams(call.args));
  if (wrong !== null) throw invalid(call.name, wrong);
  const details = await refuseOnThrow(
    call.name,
    async () => await withLimit(limit, tool.shouldConfirmExecute(call.args, limit)),
  );
  const card = details === false ? undefined : toConfirmationCard(details, (text) => planning.values.redact(text));
  return toPlannedCall(planning, call, {
    classification,
    effect,
    card,
    identity: '',
    run: { kind: 'tool', isFree: effect === 'pure', timeoutMs },
    server,
    approvalScope: card?.type === 'exec' ? card.rootCommand : undefined,
  });
}

function clientFacts({ classification = 'write', confirm, name, description }: ClientTool): CallFacts {
  return {
    classification,
    effect: classification === 'read' ? 'pure' : 'commit',
    card:
      confirm === true || classification === 'destructive' || classification === 'external'
        ? { type: 'info', title: `Run ${name}?`, prompt: description.slice(0, 500) }
        : undefined,
    ...(confirm === true ? { requiresApproval: true } : {}),
    identity: '',
    run: { kind: 'client', timeoutMs: CLIENT_LIMIT_MS },
  };
}

/** Redacted and capped: from here on it stands in histories and logs. */
function toPlannedCall({ values }: CallPlanContext, call: CallToPlan, facts: CallFacts): PlannedCall {
  const { identity, server, approvalScope: alike, run, ...rest } = facts;
  const { callId, functionId, name } = call;
  const args = cappedArguments(values.redactAll(call.args));
  const rootCommand = alike === undefined ? undefined : alike.length > 100 ? digest(alike).slice(0, 32) : alike;
  const shown = { callId, toolName: name, args };
  const told = {
    ...values.redactAll(rest),
    scope: {
      tool: name,
      ...(server === undefined ? {} : { server }),
      ...(rootCommand === undefined ? {} : { rootCommand: values.redact(rootCommand) }),
    },
  };
  return {
    callId,
    ...(functionId === undefined ? {} : { functionId }),
    name,
    args,
    hash: digest(name, canonical(call.args), identity),
    ...defined(told),
    run: run.kind === 'browser' ? { kind: 'browser', command: { ...run.command, call: shown } } : run,
  };
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What a tool's own code throws is the tool's fault, told to the model; never a fault of the turn. */
async function refuseOnThrow<T>(name: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw new Refusal(`${name} could not be checked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function withLimit<T>(limit: AbortSignal, work: Promise<T>): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    limit.addEventListener('abort', () => reject(new Error('it gave no answer in time')), { once: true });
    work.then(resolve, reject);
  });
}
