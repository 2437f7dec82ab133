import type { z } from 'zod';
import type { ClientTool } from '../../../../contracts/tasks/agent-config';
import { BROWSER_TOOLS, isBrowserTool, REMOTE_BROWSER_TOOLS } from '../../../../contracts/tools/browser-tools';
import type { PlannedCall } from '../../../../contracts/tools/planned-call';
import { checkArguments, invalidArguments, Refusal } from './arguments';
import { browserFacts } from './browser-facts';
import type { PlannedFacts, CallPlanContext, CallToPlan } from './call-facts';
import { engineFacts } from './engine-facts';
import { remoteFacts } from './remote-facts';
import { argumentsProblem } from '../../../../runtime/schemas/arguments';
import { DONE, doneRefusal } from '../done-tool';
import { hasMoreTools, MORE_TOOLS } from '../more-tools';
import { toPlannedCall } from './to-planned-call';

const CLIENT_LIMIT_MS = 600_000;

type ToolSources = Pick<CallPlanContext, 'agent' | 'engineTools'>;

/** Names of what this session's model may call, in the order in which it is offered. */
export function offeredTools({ agent, engineTools }: ToolSources): string[] {
  const browser: readonly string[] =
    agent.executor === 'playwright' ? Object.keys(BROWSER_TOOLS) : REMOTE_BROWSER_TOOLS;
  const names = [...browser, ...namesBesideBrowser({ agent, engineTools })];
  return [...new Set(names)].filter((name) => agent.tools === undefined || agent.tools.includes(name));
}

/**
 * What is wrong with `config.agent.tools`: names that no tool has, as only the engine's workers know; undefined where all are
 * right. Tools of a caller's process come and go while its session runs, so that there any name may be one.
 */
export function unknownToolsProblem({ agent, engineTools }: ToolSources): string | undefined {
  const known = [...Object.keys(BROWSER_TOOLS), ...namesBesideBrowser({ agent, engineTools })];
  if (agent.clientQueue !== undefined) return undefined;
  const isKnown = (name: string): boolean => name === DONE.name || known.includes(name) || engineTools.isExpected(name);
  const unknown = (agent.tools ?? []).filter((name) => !isKnown(name));
  if (unknown.length === 0) return undefined;
  const named = unknown.map((name) => `“${name}”`).join(', ');
  return `config.agent.tools names ${named}, and no tool is called so. The tools are ${known.join(', ')}.`;
}

function namesBesideBrowser({ agent, engineTools }: ToolSources): string[] {
  return [...engineTools.list().map(({ tool }) => tool.name), ...(agent.clientTools ?? []).map(({ name }) => name)];
}

/** Throws Refusal where the call is not to be run. */
export async function planToolCall(context: CallPlanContext, call: CallToPlan): Promise<PlannedCall> {
  const { agent, engineTools, values } = context;
  const { name } = call;
  const names = offeredTools(context);
  if (name === DONE.name && !names.includes(name)) throw new Refusal(doneRefusal(call.args));
  const isDescribing = name === MORE_TOOLS.name && hasMoreTools(agent);
  if (!names.includes(name) && !isDescribing)
    throw new Refusal(`Tool “${name}” not found in registry. The tools are ${names.join(', ')}.`);
  const own = agent.clientTools?.find((tool) => tool.name === name);
  if (own !== undefined) return toPlannedCall(values, call, await clientFacts(own, call.args));
  if (!isBrowserTool(name))
    return toPlannedCall(values, call, await engineFacts(engineTools.get(name)!, call.args, values));
  const schema: z.ZodType<Record<string, unknown>> = BROWSER_TOOLS[name].parameters;
  const checked = { ...call, args: checkArguments(name, schema, call.args) };
  const facts =
    agent.executor === 'playwright'
      ? browserFacts(context, checked, name)
      : remoteFacts(name, checked.args, context.shownText, agent.executor);
  return toPlannedCall(values, checked, facts);
}

async function clientFacts(
  { classification = 'write', confirm, asks, name, description, parameters }: ClientTool,
  args: Record<string, unknown>,
): Promise<PlannedFacts> {
  const wrong = parameters === undefined ? null : await argumentsProblem(parameters, args);
  if (wrong !== null) throw invalidArguments(name, wrong);
  return {
    classification,
    effect: classification === 'read' ? 'pure' : 'commit',
    card:
      confirm === true || classification === 'destructive' || classification === 'external'
        ? { type: 'info', title: `Run ${name}?`, prompt: description.slice(0, 500) }
        : undefined,
    ...(confirm === true ? { requiresApproval: true } : {}),
    summary: `Run ${name}`,
    identity: '',
    run: { kind: 'client', timeoutMs: CLIENT_LIMIT_MS, ...(asks === true ? { asks } : {}) },
  };
}
