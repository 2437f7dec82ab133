import type { BrowserToolResult } from '../../../contracts/tasks/agent-loop';
import { ArtifactNotSaved } from '../../../store/files/write-atomically';
import type { Store } from '../../../store/store';
import type { ToolCallOutcome, ToolCallRow } from '../../../store/journal/tool-calls';
import type { ActivityCall } from '../../activity/activity';
import type { BeginCallInput, StoreToolResultInput, ToolEnd } from '../../signatures/task-activities';
import { loadSessionValues } from '../../secrets/session-values';
import { writeOutbox } from '../../activity/write-outbox';
import { saveScreenshot } from '../../recorded/captures';
import { pngSize } from '../../recorded/png-size';
import { truncateOutput, summaryOf } from '../../recorded/result-text';
import { toolRunRecords } from '../tools/running/tool-records';

interface Deps {
  store: Store;
  /** Where the values of secrets are that a session names by their variables. */
  env: NodeJS.ProcessEnv;
}

/** Journals the begin of a call that runs in another process before it is sent, like a call of our own. */
export async function beginCall(
  { store }: Deps,
  input: BeginCallInput,
  { runId, attempt }: ActivityCall,
): Promise<{ args: Record<string, unknown> }> {
  const { sessionId, call } = input;
  await writeOutbox(store, sessionId, runId, input.outbox);
  const row = await rowOf(store, sessionId, call.callId);
  const { callId, args } = call;
  await store.toolCalls.begin(sessionId, { runId }, { callId, attempt }, [toolRunRecords(input, row, args).started()]);
  return { args: row.args };
}

/** S0.A7, S0.A9: turns the result into the text that the model gets, redacted and capped, and its picture into an artifact. */
export async function storeToolResult(
  { store, env }: Deps,
  input: StoreToolResultInput,
  { runId }: ActivityCall,
): Promise<ToolEnd> {
  const { sessionId, callId, durationMs, isRetried } = input;
  const result = await wholeOf(store, input.result);
  await writeOutbox(store, sessionId, runId, input.outbox);
  const row = await rowOf(store, sessionId, callId);
  const values = await loadSessionValues(store, sessionId, env);
  const text = truncateOutput(values.redact(textOf(result, isRetried === true)));
  const artifactId = await keepPicture(store, input, result);
  const isUnknown = input.isUnknown === true ? { isUnknown: true as const } : {};
  const outcome: ToolCallOutcome = {
    isError: !result.success,
    text,
    summary: summaryOf(text),
    durationMs,
    ...(artifactId === undefined ? {} : { artifactId }),
    ...isUnknown,
  };
  await store.toolCalls.finish(sessionId, { runId }, callId, outcome, [toolRunRecords(input, row, {}).ended(outcome)]);
  return { status: result.success ? 'success' : 'error', summary: outcome.summary, durationMs, ...isUnknown };
}

/** Loads a relayed result whole: what went through Temporal lacks its picture and may be cut. */
async function wholeOf(store: Store, result: StoreToolResultInput['result']): Promise<BrowserToolResult> {
  if (!('requestId' in result)) return result;
  const { success, output, error } = result;
  return (await store.relay.answers.result(result.requestId)) ?? { success, output, error };
}

async function rowOf(store: Store, sessionId: string, callId: string): Promise<ToolCallRow> {
  const row = await store.toolCalls.get(sessionId, callId);
  if (row === null) throw new Error(`There is no tool call ${callId} in session ${sessionId}.`);
  return row;
}

function textOf(
  { success, output, error }: Pick<BrowserToolResult, 'success' | 'output' | 'error'>,
  isRetried: boolean,
): string {
  if (!success) return `Error: ${error ?? 'the tool failed and did not say why.'}${isRetried ? ' (after retry)' : ''}`;
  if (output === undefined || output === null) return 'Done.';
  return typeof output === 'string' ? output : JSON.stringify(output, undefined, 2);
}

/** What a picture of a remote browser is listed with in place of a command's action. */
const REMOTE_PICTURE = 'REMOTE_SCREENSHOT';

/** Saves the picture. When that fails, the call ends without it. */
async function keepPicture(
  store: Store,
  { sessionId, stepIndex, callId }: StoreToolResultInput,
  { screenshot }: BrowserToolResult,
) {
  if (screenshot === undefined) return undefined;
  const artifactId = `${callId}.picture`;
  const content = Buffer.from(screenshot.data, 'base64');
  try {
    // A picture of the page is one of the session's; of what is no PNG nobody knows that it is a picture.
    if (pngSize(content) !== undefined)
      await saveScreenshot(store, { sessionId, stepIndex, action: REMOTE_PICTURE }, artifactId, content);
    else {
      const facts = { fileName: artifactId, mediaType: screenshot.mediaType };
      await store.artifacts.save({ sessionId, artifactId, kind: 'download', content, stepIndex, facts });
    }
    return artifactId;
  } catch (error) {
    if (error instanceof ArtifactNotSaved) return undefined;
    throw error;
  }
}
