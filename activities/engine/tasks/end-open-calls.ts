import type { ActivityCall } from '../../activity/activity';
import type { EndOpenCallsInput } from '../../signatures/task-activities';
import { loadSessionValues } from '../../secrets/session-values';
import { writeOutbox } from '../../activity/write-outbox';
import { cappedArguments } from '../tools/planning/arguments';
import { toolRunRecords } from '../tools/running/tool-records';
import { endCommand, endTool, type EndCallDeps } from './end-cancelled-call';

/** Ends whatever a step has begun and not ended, before the end of the step is written. Repeating it is harmless. */
export async function endOpenCalls(
  deps: EndCallDeps,
  input: EndOpenCallsInput,
  { runId }: ActivityCall,
): Promise<void> {
  const { store, env } = deps;
  const { sessionId, stepIndex, callIds, message } = input;
  await writeOutbox(store, sessionId, runId, input.outbox);
  const values = await loadSessionValues(store, sessionId, env);
  const entries = await store.journal.ofStep(sessionId, stepIndex);
  for (const entry of entries.filter(({ status }) => status === 'intended')) {
    const row = await store.toolCalls.ofCommand(sessionId, entry.commandId);
    const call = row && { callId: row.callId, toolName: row.name, args: cappedArguments(values.redactAll(row.args)) };
    const place = { sessionId, stepIndex, turn: entry.turn };
    await endCommand({ ...deps, input: place, message, runId }, entry, call ?? undefined);
  }
  const begun = new Set(entries.map(({ commandId }) => commandId));
  for (const callId of callIds) {
    const row = await store.toolCalls.get(sessionId, callId);
    if (row === null || row.outcome !== undefined || begun.has(row.commandId ?? '')) continue;
    const context = { ...deps, input: { sessionId, stepIndex, turn: row.turn }, message, runId };
    if ((await endTool(context, row)) !== 'unrun') continue;
    await store.log.append(sessionId, [toolRunRecords(context.input, row, {}).unrun(message)], { guard: { runId } });
  }
}
