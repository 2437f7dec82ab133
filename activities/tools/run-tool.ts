import type { ContentPart } from '../../contracts/tasks/chat';
import type { ToolResult } from '../../contracts/tools/tool';
import { MAX_OUTPUT } from '../../contracts/commands/definitions/members';
import { faultPoint } from '../../runtime/fault-point';
import type { Store } from '../../store/store';
import type { ToolCallOutcome, ToolCallRow } from '../../store/journal/tool-calls';
import type { ActivityCall } from '../activity';
import type { RunToolInput, ToolEnd } from '../task-activities';
import { EngineError } from '../failures';
import { retryThroughOutage } from '../commands/outcomes/retry-through-outage';
import { loadSessionValues, type SessionValues } from '../secrets/session-values';
import { writeOutbox } from '../sessions/write-outbox';
import { cappedArguments } from './arguments';
import type { EngineTool, EngineTools } from './engine-tools';
import { createLiveOutput } from './live-output';
import { toErrorText, truncateOutput, summaryOf } from './result-text';
import { toolRecords } from './tool-records';

export interface RunToolDeps {
  store: Store;
  env: NodeJS.ProcessEnv;
  engineTools: EngineTools;
}

/** How long a tool that was told to stop may take to do so. */
const STOP_LIMIT_MS = 2000;
const LARGEST_PICTURE = 5 * 1024 * 1024;
/** Names of variables of the engine's own that no tool's output may show. */
const SECRET_NAMES = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|DATABASE_URL/i;

/**
 * Runs one call by a tool of the engine workers. Its journal says what may be done again: an attempt that finds a commit
 * begun by another, which never told its end, does not run it; the model is told that nobody knows.
 */
export async function runTool(deps: RunToolDeps, input: RunToolInput, call: ActivityCall): Promise<ToolEnd> {
  const { store, env, engineTools } = deps;
  const { sessionId, callId } = input;
  await writeOutbox(store, sessionId, call.runId, input.outbox);
  const row = await store.toolCalls.get(sessionId, callId);
  if (row === null) throw new Error(`There is no tool call ${callId} in session ${sessionId}.`);
  if (row.outcome !== undefined) return endOf(row.outcome);

  const values = await loadSessionValues(store, sessionId, env);
  for (const [name, value = ''] of Object.entries(env))
    if (SECRET_NAMES.test(name) && value.length >= 8) values.addSecret(value);
  const records = toolRecords(input, row, cappedArguments(values.redactAll(row.args)));
  const guard = { runId: call.runId };
  faultPoint('before-intent', sessionId);
  const { attempt } = call;
  const before = await store.toolCalls.begin(sessionId, guard, { callId, attempt }, [records.started()]);
  if (before === 'stale-attempt' || before === 'done') return await endOfOtherAttempt(store, input, before);
  faultPoint('after-intent', sessionId);
  const found = engineTools.get(row.name);
  const outcome =
    found === undefined
      ? failed(`The tool ${row.name} is not there any more.`)
      : before === 'executing' && found.effect === 'commit'
        ? unknown(`A worker died while ${row.name} ran; nobody knows whether it took effect, and it is not run again.`)
        : await run(deps, { input, row, engineTool: found, values, records, call });
  faultPoint('after-act', sessionId);
  await retryThroughOutage(() => store.toolCalls.finish(sessionId, guard, callId, outcome, [records.ended(outcome)]));
  faultPoint('after-outcome', sessionId);
  return endOf(outcome);
}

/** This attempt was frozen, or waited for the database, while another one went on: what it is about to do is done there. */
async function endOfOtherAttempt(
  store: Store,
  { sessionId, callId, name }: RunToolInput,
  before: 'stale-attempt' | 'done',
): Promise<ToolEnd> {
  if (before === 'done') return endOf((await store.toolCalls.get(sessionId, callId))!.outcome!);
  const message = `A newer attempt has begun ${name} (${callId}); nothing more is done here.`;
  throw new EngineError('EX001', message, { isTemporary: true });
}

interface RunContext {
  input: RunToolInput;
  row: ToolCallRow;
  engineTool: EngineTool;
  values: SessionValues;
  records: ReturnType<typeof toolRecords>;
  call: ActivityCall;
}

/** Resolves to how it ended, however it ended; rejects only when this worker ends and another is to go on. */
async function run(
  { store }: RunToolDeps,
  { input, row, engineTool: found, values, records, call }: RunContext,
): Promise<ToolCallOutcome> {
  const { sessionId } = input;
  const { tool, timeoutMs, effect } = found;
  if (call.signal.aborted) {
    if (call.isWorkerEnding?.() === true) throw call.signal.reason;
    return { ...failed(`${row.name} was cancelled before it ran.`), isCancelled: true };
  }
  const live = createLiveOutput(values, (text, number) =>
    store.log.append(sessionId, [records.output(`${call.attempt}.${number}`, text)], { guard: { runId: call.runId } }),
  );
  const startedAt = performance.now();
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(call.signal.reason);
  call.signal.addEventListener('abort', onAbort, { once: true });
  const isEffective = effect === 'commit';
  const since = (): number => Math.round(performance.now() - startedAt);
  try {
    const working = (async () => tool.execute(row.args, stop.signal, (output) => live.add(output)))();
    faultPoint('during-tool', sessionId);
    const ended = await settleWithin(working, timeoutMs, stop);
    await live.end();
    if (ended.kind === 'result') return await saveResult(store, input, row, values, ended.result, since());
    if (ended.kind === 'timeout')
      return {
        ...failed(
          `${row.name} was not through within ${timeoutMs / 1000} s and was told to stop; what it had begun may have taken effect.`,
          since(),
        ),
        ...(isEffective ? { isUnknown: true as const } : {}),
      };
    if (ended.kind === 'stopped') {
      if (call.isWorkerEnding?.() === true) throw call.signal.reason;
      const text = `${row.name} was cancelled while it ran; what it had begun may have taken effect.`;
      return { ...failed(text, since()), isCancelled: true };
    }
    return failed(values.redact(head(messageOf(ended.error))), since());
  } finally {
    call.signal.removeEventListener('abort', onAbort);
    await live.end();
  }
}

type Ended =
  | { kind: 'result'; result: ToolResult }
  | { kind: 'error'; error: unknown }
  | { kind: 'timeout' }
  /** Told to stop, and it did not say how it ended. */
  | { kind: 'stopped' };

async function settleWithin(working: Promise<ToolResult>, timeoutMs: number, stop: AbortController): Promise<Ended> {
  const timers: NodeJS.Timeout[] = [];
  let isOutOfTime = false;
  const settled: Promise<Ended> = working.then(
    (result) => ({ kind: 'result', result }) as const,
    (error: unknown) => ({ kind: 'error', error }) as const,
  );
  const limit = new Promise<Ended>((resolve) => {
    const giveUp = (): void => {
      // One that stops in order tells how it ended; one that hangs is left behind.
      timers.push(setTimeout(() => resolve({ kind: isOutOfTime ? 'timeout' : 'stopped' }), STOP_LIMIT_MS));
    };
    if (stop.signal.aborted) giveUp();
    else stop.signal.addEventListener('abort', giveUp, { once: true });
    timers.push(
      setTimeout(() => {
        isOutOfTime = true;
        stop.abort(new Error('The tool is out of time.'));
      }, timeoutMs),
    );
  });
  try {
    const ended = await Promise.race([settled, limit]);
    if (ended.kind !== 'error' || !stop.signal.aborted) return ended;
    return { kind: isOutOfTime ? 'timeout' : 'stopped' };
  } finally {
    timers.forEach((timer) => clearTimeout(timer));
  }
}

/** What came of it, redacted and capped; a picture goes to the artifacts. */
async function saveResult(
  store: Store,
  { sessionId, stepIndex }: RunToolInput,
  { callId, name }: ToolCallRow,
  values: SessionValues,
  result: ToolResult,
  durationMs: number,
): Promise<ToolCallOutcome> {
  const content: unknown = result?.llmContent;
  if (typeof content !== 'string' && !Array.isArray(content))
    return failed(`${name} gave no result: expected {llmContent, returnDisplay}, got ${typeof result}.`, durationMs);
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content as ContentPart[]);
  const text = truncateOutput(values.redact(head(parts.map((part) => part.text ?? '').join('\n'))));
  const picture = parts.find(({ type, data }) => type === 'image' && data !== undefined);
  const artifactId = picture === undefined ? undefined : `${callId}.picture`;
  if (artifactId !== undefined) {
    const bytes = Buffer.from(picture!.data!, 'base64');
    if (bytes.length > LARGEST_PICTURE) return { ...done(`${text}\n[a picture of ${bytes.length} bytes is left out]`) };
    await store.artifacts.save({
      sessionId,
      artifactId,
      kind: 'download',
      content: bytes,
      stepIndex,
      facts: { fileName: artifactId, mediaType: picture!.mimeType ?? 'image/png' },
    });
  }
  return { ...done(text), ...(artifactId === undefined ? {} : { artifactId }) };

  function done(said: string): ToolCallOutcome {
    const summary = typeof result.summary === 'string' ? values.redact(result.summary) : said;
    return { isError: false, text: said, summary: summaryOf(summary) || `${name} is done`, durationMs };
  }
}

/** More is never kept: a secret that the cut would halve lies beyond it. */
function head(text: string): string {
  return text.length > 2 * MAX_OUTPUT ? text.slice(0, 2 * MAX_OUTPUT) : text;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === '' ? 'the tool failed and said nothing.' : message;
}

function failed(message: string, durationMs = 0): ToolCallOutcome {
  const text = truncateOutput(toErrorText({ message }));
  return { isError: true, text, summary: summaryOf(text), durationMs };
}

function unknown(message: string): ToolCallOutcome {
  return { ...failed(message), isUnknown: true };
}

function endOf({ isError, summary, durationMs, isUnknown, isCancelled }: ToolCallOutcome): ToolEnd {
  return {
    status: isError ? 'error' : 'success',
    summary,
    durationMs,
    ...(isUnknown === true ? { isUnknown } : {}),
    ...(isCancelled === true ? { isCancelled } : {}),
  };
}
