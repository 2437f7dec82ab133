import type { PromptPart } from '../../contracts/model-port/language-model';
import type { ToolRegistry } from '../../activities/engine/tools/port';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import type { RunOptions, StagedSession } from './browser-session';

/** What a call of a tool came to. */
export interface Called {
  planned: PlannedCall;
  text: string;
  parts: PromptPart[];
}

/** Calls tools as the loop does: plans a call, runs its command, and reads what the model receives. */
export function toolCaller(session: StagedSession, toolRegistry: ToolRegistry) {
  let turn = 0;
  return async (name: string, args: Record<string, unknown>, more: RunOptions = {}): Promise<Called> => {
    const place = { sessionId: session.sessionId, stepIndex: 0, turn: (turn += 1) };
    const call = { callId: `call_${turn}`, name, args: JSON.stringify(args) };
    const [planned] = await toolRegistry.plan(place, [call]);
    const { run, callId } = planned!;
    if (run.kind === 'refused') {
      const end = { callId, status: 'error' as const, message: run.message };
      return { planned: planned!, text: run.message, parts: await toolRegistry.resultOf(place, call, end) };
    }
    if (run.kind !== 'browser') throw new Error(`${name} is run as ${run.kind}`);
    const { outcomes } = await session.run([run.command], { turn: place.turn, ...more });
    const status = outcomes[0]?.status === 'done' ? ('success' as const) : ('error' as const);
    const parts = await toolRegistry.resultOf(place, call, { callId, status });
    return { planned: planned!, text: parts[0]?.kind === 'text' ? parts[0].text : '', parts };
  };
}

/** The ref of what a reading has shown with this name. */
export function refOf(text: string, name: string): string {
  const ref = new RegExp(`"${name}[^"]*" \\[ref=(\\w+)\\]`).exec(text)?.[1];
  if (ref === undefined) throw new Error(`There is no “${name}” in:\n${text}`);
  return ref;
}
