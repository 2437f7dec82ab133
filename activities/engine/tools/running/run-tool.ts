import { faultPoint } from '../../../../runtime/fault-point';
import type { Store } from '../../../../store/store';
import type { ToolCallOutcome, ToolCallRow } from '../../../../store/journal/tool-calls';
import type { ActivityCall } from '../../../activity/activity';
import type { RunToolInput, ToolEnd } from '../../../signatures/task-activities';
import { EngineError } from '../../../activity/failures';
import { retryThroughOutage } from '../../../recorded/retry-through-outage';
import { loadSessionValues, type SessionValues } from '../../../secrets/session-values';
import { writeOutbox } from '../../../activity/write-outbox';
import { cappedArguments } from '../planning/arguments';
import type { EngineTools } from '../engine-tools';
import type { EngineTool } from '../engine-tool';
import { createLiveOutput } from './live-output';
import { settleWithin } from './settle-within';
import { endOf, failed, head, toolErrorMessage, saveResult, unknownOutcome } from './tool-outcome';
import { toolRunRecords } from './tool-records';

export interface RunToolDeps {
  store: Store;
  env: NodeJS.ProcessEnv;
  engineTools: EngineTools;
}

/** Names of the worker's own environment variables whose values are redacted in every tool's output. */
const SECRET_NAMES = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|DATABASE_URL/i;

/**
 * Runs one call of a tool of the engine workers, with a journal of its own. An attempt that finds a commit begun by
 * another attempt, without an outcome, does not run it: its outcome is unknown.
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
  const records = toolRunRecords(input, row, cappedArguments(values.redactAll(row.args)));
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
        ? unknownOutcome(
            `A worker died while ${row.name} ran; nobody knows whether it took effect, and it is not run again.`,
          )
        : await run(deps, { input, row, engineTool: found, values, records, call });
  faultPoint('after-act', sessionId);
  await retryThroughOutage(() => store.toolCalls.finish(sessionId, guard, callId, outcome, [records.ended(outcome)]));
  faultPoint('after-outcome', sessionId);
  return endOf(outcome);
}

/** Ends a stale attempt: it was frozen, or waited for the database, while another attempt ran the call. */
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
  records: ReturnType<typeof toolRunRecords>;
  call: ActivityCall;
}

/** Resolves to the outcome, whatever it is; rejects only when this worker ends and another one continues. */
async function run(
  { store }: RunToolDeps,
  { input, row, engineTool, values, records, call }: RunContext,
): Promise<ToolCallOutcome> {
  const { sessionId } = input;
  const { tool, timeoutMs, effect } = engineTool;
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
          `${row.name} was not through within ${timeoutMs / 1000} s and was asked to stop; what it had begun may have taken effect.`,
          since(),
        ),
        ...(effect === 'commit' ? { isUnknown: true as const } : {}),
      };
    if (ended.kind === 'stopped') {
      if (call.isWorkerEnding?.() === true) throw call.signal.reason;
      const text = `${row.name} was cancelled while it ran; what it had begun may have taken effect.`;
      return { ...failed(text, since()), isCancelled: true };
    }
    const code = ended.error instanceof EngineError ? { code: ended.error.code } : {};
    return { ...failed(values.redact(head(toolErrorMessage(ended.error))), since()), ...code };
  } finally {
    call.signal.removeEventListener('abort', onAbort);
    await live.end();
  }
}
