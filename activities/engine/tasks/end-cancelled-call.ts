import { toCancellation } from '../../../contracts/errors/cancellation';
import type { JournalEntry } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import type { ToolCallOutcome, ToolCallRow } from '../../../store/journal/tool-calls';
import type { ActivityCall } from '../../activity/activity';
import type { CancelledCall, EndCancelledCallInput } from '../../signatures/task-activities';
import { commandRecords } from '../../recorded/command-records';
import { loadSessionValues } from '../../secrets/session-values';
import { writeOutbox } from '../../activity/write-outbox';
import { EngineError, toStandardError } from '../../activity/failures';
import { cappedArguments } from '../tools/planning/arguments';
import { summaryOf } from '../../recorded/result-text';
import { toolRunRecords } from '../tools/running/tool-records';

export interface EndCallDeps {
  store: Store;
  env: NodeJS.ProcessEnv;
}

interface EndContext extends EndCallDeps {
  input: Pick<EndCancelledCallInput, 'sessionId' | 'stepIndex' | 'turn'>;
  /** Redacted: a person may have named a secret in the reason. */
  message: string;
  runId: string;
}

/** Ends a call whose runner reports nothing more: it was stopped in the middle, and its intent stayed open. */
export async function endCancelledCall(
  deps: EndCallDeps,
  input: EndCancelledCallInput,
  { runId }: ActivityCall,
): Promise<CancelledCall> {
  const { store, env } = deps;
  const { sessionId, callId, commandId } = input;
  await writeOutbox(store, sessionId, runId, input.outbox);
  const row = await store.toolCalls.get(sessionId, callId);
  if (row === null) throw new Error(`There is no tool call ${callId} in session ${sessionId}.`);
  const values = await loadSessionValues(store, sessionId, env);
  const context = { ...deps, input, message: values.redact(input.message), runId };
  if (commandId === undefined) return await endTool(context, row);
  const [entry] = await store.journal.find(sessionId, [commandId]);
  if (entry === undefined) return 'unrun';
  if (entry.status !== 'intended') return entry.status === 'done' ? 'success' : 'error';
  await endCommand(context, entry, { callId, toolName: row.name, args: cappedArguments(values.redactAll(row.args)) });
  return 'stopped';
}

export async function endTool({ store, input, message, runId }: EndContext, row: ToolCallRow): Promise<CancelledCall> {
  if (row.status === 'planned') return 'unrun';
  if (row.outcome !== undefined) return row.outcome.isError ? 'error' : 'success';
  const outcome: ToolCallOutcome = {
    isError: true,
    text: message,
    summary: summaryOf(message),
    durationMs: 0,
    isCancelled: true,
  };
  await store.toolCalls.finish(input.sessionId, { runId }, row.callId, outcome, [
    toolRunRecords(input, row, {}).ended(outcome),
  ]);
  return 'stopped';
}

export async function endCommand(
  { store, input, message, runId }: EndContext,
  { commandId, action, parameters }: JournalEntry,
  call: { callId: string; toolName: string; args: Record<string, unknown> } | undefined,
): Promise<void> {
  const { sessionId, stepIndex } = input;
  const ended = new EngineError('TL004', message.replace(/^Error: /, ''));
  const error = toCancellation(toStandardError(ended, 'TL004', { sessionId, stepIndex, commandId }));
  await store.journal.finish(
    sessionId,
    { runId },
    {
      commandId,
      status: 'failed',
      response: { success: false, commandId, screenshotId: '', duration: 0, error },
      error,
    },
    [commandRecords(input, { commandId, action, parameters, call }).failed(0, error, true)],
  );
}
