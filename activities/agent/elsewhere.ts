import { turnResultText, type ToolResult } from '../../contracts/agent-loop';
import { StreamEventType } from '../../contracts/events';
import type { NewRecord } from '../../contracts/log';
import type { RecordFacts } from '../../contracts/record-facts';
import { ArtifactNotKept } from '../../store/artifacts';
import type { Store } from '../../store/store';
import type { ToolCallOutcome } from '../../store/tool-calls';
import type { ActivityCall } from '../activity';
import type { BeginCallInput, StoreToolEndInput, ToolEnd } from '../agent-activities';
import { valuesOf } from '../browser/secrets';
import { write } from '../events/bookkeeping';
import { toStandardError, EngineError } from '../failures';
import { outputText, summaryOf } from '../tools/told';

interface Deps {
  store: Store;
  /** Where the values of secrets are that a session names by their variables. */
  env: NodeJS.ProcessEnv;
}

type Place = Pick<StoreToolEndInput, 'sessionId' | 'stepIndex' | 'turn'>;

/** Calls that run in another process are journaled like our own: begun before they are sent, ended once. */
export async function beginCall(
  { store }: Deps,
  input: BeginCallInput,
  { runId }: ActivityCall,
): Promise<{ args: Record<string, unknown> }> {
  const { sessionId, call } = input;
  const { callId, name: toolName, args } = call;
  await write(store, sessionId, runId, input.bookkeeping);
  const facts: RecordFacts = { kind: 'call', callId, toolName, args };
  const data = { message: `${toolName} is running.`, details: { callId, toolName, status: 'running' } };
  const begun = recordOf(input, `${callId}/started`, StreamEventType.COMMAND_STARTED, data, facts);
  await store.toolCalls.begin(sessionId, { runId }, callId, [begun]);
  const row = await store.toolCalls.get(sessionId, callId);
  return { args: row?.args ?? args };
}

/** S0.A7, S0.A9: what it gave becomes the text that the model is told, redacted and capped; its picture an artifact. */
export async function storeToolEnd(
  { store, env }: Deps,
  input: StoreToolEndInput,
  { runId }: ActivityCall,
): Promise<ToolEnd> {
  const { sessionId, stepIndex, callId, toolName, result, durationMs, isRetried, isUnknown } = input;
  await write(store, sessionId, runId, input.bookkeeping);
  const values = await valuesOf(store, sessionId, env);
  const text = outputText(values.redact(textOf(result, isRetried === true)));
  const summary = summaryOf(text);
  const artifactId = await keepPicture(store, input);
  const outcome: ToolCallOutcome = {
    isError: !result.success,
    text,
    summary,
    durationMs,
    ...(artifactId === undefined ? {} : { artifactId }),
    ...(isUnknown === true ? { isUnknown } : {}),
  };
  const facts: RecordFacts = {
    kind: 'result',
    callId,
    toolName,
    summary,
    text: turnResultText(text, artifactId !== undefined),
    durationMs,
    ...(result.success ? {} : { error: summary }),
    ...(artifactId === undefined ? {} : { hasScreenshot: true }),
  };
  const details = { callId, toolName, status: result.success ? 'done' : 'failed' };
  const error = result.success
    ? {}
    : {
        error: toStandardError(new EngineError('EX001', summary), 'EX001', {
          sessionId,
          stepIndex,
          moduleId: 'task-loop',
        }),
      };
  const type = result.success ? StreamEventType.COMMAND_COMPLETED : StreamEventType.COMMAND_FAILED;
  const ended = recordOf(
    input,
    `${callId}/ended`,
    type,
    { message: `${toolName}: ${summary}`, details, ...error },
    facts,
  );
  await store.toolCalls.finish(sessionId, { runId }, callId, outcome, [ended]);
  return {
    status: result.success ? 'success' : 'error',
    summary,
    durationMs,
    ...(isUnknown === true ? { isUnknown } : {}),
  };
}

function textOf(
  { success, output, error }: Pick<ToolResult, 'success' | 'output' | 'error'>,
  isRetried: boolean,
): string {
  if (!success) return `Error: ${error ?? 'the tool failed and did not say why.'}${isRetried ? ' (after retry)' : ''}`;
  if (output === undefined || output === null) return 'Done.';
  return typeof output === 'string' ? output : JSON.stringify(output, undefined, 2);
}

/** A picture that can't be kept costs the model a look, not the call its end. */
async function keepPicture(store: Store, { sessionId, stepIndex, callId, result }: StoreToolEndInput) {
  const { screenshot } = result;
  if (screenshot === undefined || !('data' in screenshot)) return undefined;
  const artifactId = `${callId}.picture`;
  const content = Buffer.from(screenshot.data, 'base64');
  try {
    await store.artifacts.save({ sessionId, artifactId, kind: 'screenshot', content, stepIndex });
    return artifactId;
  } catch (error) {
    if (error instanceof ArtifactNotKept) return undefined;
    throw error;
  }
}

function recordOf(
  { stepIndex, turn }: Place,
  eventId: string,
  type: NewRecord['type'],
  data: NewRecord['data'],
  facts: RecordFacts,
): NewRecord {
  return { eventId, owner: 'task-loop', type, at: new Date().toISOString(), stepIndex, turn, data, facts };
}
