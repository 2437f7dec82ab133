import { createEngineTools } from '../../activities/engine/tools/engine-tools';
import type { EngineTool } from '../../activities/engine/tools/engine-tool';
import type { CallPlanContext } from '../../activities/engine/tools/planning/call-facts';
import { planToolCall } from '../../activities/engine/tools/planning/plan-call';
import { createSessionValues } from '../../activities/secrets/session-values';
import { resolveAgentConfig, type AgentConfigInput } from '../../contracts/tasks/agent-config';
import { isBrowserTool } from '../../contracts/tools/browser-tools';
import type { PageSnapshot, PageNode } from '../../contracts/browsers/page-snapshot';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { Refusal } from '../../activities/engine/tools/planning/arguments';

export function aSnapshot(url: string, ...nodes: (PageNode | string)[]): PageSnapshot {
  return { snapshotId: 'l', url, title: 'Shop', tabs: [], nodes };
}

/** All that a call is planned on, with what a test is about. */
export function aPlanContext({
  look = aSnapshot('https://shop.test/cart'),
  shown = look,
  foreseen = [],
  requestOfPage,
  agent = {},
  tools = [],
  env = {},
  shownText = '',
}: {
  look?: PageSnapshot;
  shown?: PageSnapshot;
  foreseen?: string[];
  requestOfPage?: CallPlanContext['page']['requestOfPage'];
  agent?: AgentConfigInput;
  tools?: EngineTool[];
  env?: Record<string, string>;
  shownText?: string;
}): CallPlanContext {
  const engineTools = createEngineTools(isBrowserTool);
  for (const tool of tools) engineTools.add(tool);
  const rows = Object.keys(env).map((name) => ({ name, value: null, env: name, source: 'user_input' as const }));
  return {
    page: { snapshot: look, shownSnapshot: shown, namedHosts: foreseen, requestOfPage },
    values: createSessionValues(rows as never, env),
    agent: resolveAgentConfig(agent),
    engineTools,
    shownText,
  };
}

export async function plan(
  planning: CallPlanContext,
  name: string,
  args: Record<string, unknown>,
): Promise<PlannedCall> {
  return await planToolCall(planning, { callId: 'call_1', name, commandId: 's.0.0.0', args });
}

/** The command that a call of a browser tool comes to. */
export async function commandOf(
  planning: CallPlanContext,
  name: string,
  args: Record<string, unknown>,
): Promise<PlannedCommand> {
  const { run } = await plan(planning, name, args);
  if (run.kind !== 'browser') throw new Error(`${name} is run as ${run.kind}`);
  return run.command;
}

/** What the model learns of a call that is not run. */
export async function refusalOf(
  planning: CallPlanContext,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  try {
    await plan(planning, name, args);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error(`${name} was not refused`);
}
