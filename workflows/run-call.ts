import { TimeoutType } from '@temporalio/common';
import { ActivityFailure, CancellationScope, TimeoutFailure, isCancellation, uuid4 } from '@temporalio/workflow';
import type { ToolResult } from '../contracts/agent-loop';
import type { ToolEnd } from '../activities/agent-activities';
import type { RelayCallOutput } from '../contracts/relay-call';
import { StreamEventType } from '../contracts/events';
import type { CallEnd, PlannedCall } from '../contracts/planned-call';
import { relayActivities } from './activity-proxies';
import { clientActivities, planActivities, toolActivities } from './agent-proxies';
import { applicationFailureOf, isNotPickedUp, isSuperseded } from './attempts';
import { CallRecords } from './call-records';
import { runBatch } from './commands';
import type { PauseControl } from './pause';
import type { SessionRun } from './session-run';
import type { TaskProgress } from './task-progress';
import { TurnCancelled } from './turn-control';

/** S0.A7. */
const TRANSIENT = /timed out|not connected|Relay/;
/** How long a process that runs tools for its user may take to come for one before somebody is told. */
const FIRST_PICKUP_MS = 10_000;
const LONGEST_PICKUP_MS = 300_000;

interface Scene {
  run: SessionRun;
  pause: PauseControl;
  progress: TaskProgress;
}

/** Runs a call that was cleared, by whoever has its tool. What fails is told to the model and ends nothing (S0.A7). */
export async function runCall(scene: Scene, call: PlannedCall): Promise<CallEnd> {
  switch (call.run.kind) {
    case 'refused':
      return refuse(scene, call, call.run.message);
    case 'browser':
      return await inOwnBrowser(scene, call, call.run.command);
    case 'tool':
      return await byTool(scene, call, call.run.timeoutMs);
    case 'relay':
    case 'client':
      return await elsewhere(scene, call, call.run);
  }
}

function refuse({ run, progress }: Scene, call: PlannedCall, message: string): CallEnd {
  new CallRecords(run, progress).refused(call, message);
  return { callId: call.callId, status: 'error', message: `Error: ${message}` };
}

async function inOwnBrowser(
  scene: Scene,
  call: PlannedCall,
  command: Extract<PlannedCall['run'], { kind: 'browser' }>['command'],
): Promise<CallEnd> {
  const { run, pause, progress } = scene;
  const { callId } = call;
  const { stepIndex, turn } = progress;
  const batch = await runBatch(run, pause, { commands: [command] }, stepIndex, turn);
  if (batch === 'page-replaced') {
    const why = 'The session was paused and its page is not as it was: this was not done. Look at the page first.';
    return leftOut(scene, call, why);
  }
  if (typeof batch === 'object') {
    run.seePage(batch.page);
    const [outcome] = batch.outcomes;
    if (outcome?.status === 'done') return { callId, status: 'success' };
    if (outcome?.status === 'failed') return { callId, status: 'error' };
    if (outcome?.status !== 'unknown')
      return leftOut(scene, call, 'It was not begun. Look at the page, then say what to do.');
  }
  const { commandId } = command;
  const known = await planActivities('what came of it').commandOutcome({
    sessionId: run.sessionId,
    stepIndex,
    commandId,
  });
  if (known.status === 'unknown') return await asPersonSays(scene, callId, await run.unknownWait.ask(known.unknown));
  if (known.status === 'done') return { callId, status: 'success' };
  if (known.status === 'unrun' && batch === 'stopped')
    return neverRan(scene, call, 'cancelled', 'The response was cancelled before this ran.');
  const lost = 'The browser was lost; another one has what was kept of the page. Look at it before going on.';
  if (known.status === 'unrun') return leftOut(scene, call, `${lost} This was not done.`);
  if (known.status === 'failed') return { callId, status: 'error', message: `Error: ${known.message} ${lost}` };
  noteDoubt(progress, call);
  const message = 'Error: it was begun and then stopped: whether it took effect is unknown. Look at the page first.';
  return { callId, status: 'cancelled', message };
}

/** The answer may have taken days: the page is looked at before the model is told. */
async function asPersonSays({ run, pause, progress }: Scene, callId: string, happened: boolean): Promise<CallEnd> {
  const looked = await runBatch(run, pause, { commands: [] }, progress.stepIndex, progress.turn);
  if (typeof looked !== 'string') run.seePage(looked.page);
  if (happened)
    return { callId, status: 'success', message: 'It was interrupted; a person has looked and says that it happened.' };
  const message =
    'Error: it was interrupted; a person has looked and says that it did not happen. Call it again if it is still wanted.';
  return { callId, status: 'error', message };
}

function neverRan({ run, progress }: Scene, call: PlannedCall, status: 'error' | 'cancelled', why: string): CallEnd {
  const message = `Error: ${why}`;
  new CallRecords(run, progress).unrun(call, why, message);
  return { callId: call.callId, status, message };
}

function leftOut(scene: Scene, call: PlannedCall, why: string): CallEnd {
  return { ...neverRan(scene, call, 'error', why), isLeftOut: true };
}

async function byTool({ run, progress }: Scene, call: PlannedCall, timeoutMs: number): Promise<CallEnd> {
  const { stepIndex, turn } = progress;
  const { callId, name } = call;
  const end = await run.turns.run(() =>
    run.ledger.ride((bookkeeping) =>
      toolActivities(`run ${name}`, timeoutMs).runTool({
        sessionId: run.sessionId,
        stepIndex,
        turn,
        callId,
        name,
        bookkeeping,
      }),
    ),
  );
  return settle(progress, call, end);
}

function settle(progress: TaskProgress, call: PlannedCall, end: ToolEnd): CallEnd {
  if (end.isUnknown === true) noteDoubt(progress, call);
  return { callId: call.callId, status: end.status };
}

/** From now on a person is asked before this tool does anything more. */
function noteDoubt(progress: TaskProgress, { name, effect }: PlannedCall): void {
  if (effect === 'commit' && !progress.doubtful.includes(name)) progress.doubtful.push(name);
}

type Elsewhere = Extract<PlannedCall['run'], { kind: 'relay' | 'client' }>;
type Answer = { result: ToolResult | RelayCallOutput; isUnknown?: true | undefined };

/** In a browser or a process that is somebody else's. Only what may be done twice is tried a second time. */
async function elsewhere(scene: Scene, call: PlannedCall, how: Elsewhere): Promise<CallEnd> {
  const { run, progress } = scene;
  const startedAt = Date.now();
  const place = { sessionId: run.sessionId, stepIndex: progress.stepIndex, turn: progress.turn };
  const shown = { callId: call.callId, name: call.name, args: call.args };
  const { args } = await run.ledger.ride((bookkeeping) =>
    planActivities(`begin ${call.name}`).beginCall({ ...place, call: shown, bookkeeping }),
  );
  const whole = { ...call, args };
  const send = (callId: string): Promise<Answer> =>
    how.kind === 'relay' ? relayed(scene, whole, callId, how.timeoutMs) : byClient(scene, whole, callId, how.timeoutMs);
  let answer: Answer;
  let isRetried = false;
  try {
    answer = await run.turns.run(() => send(call.callId));
    if (call.effect !== 'commit' && isTransient(answer)) {
      isRetried = true;
      answer = await run.turns.run(() => send(`${call.callId}-2`));
    }
  } catch (error) {
    const why = 'It was cancelled while it ran.';
    new CallRecords(run, progress).endedElsewhere(call, why, `Error: ${why} Whether it took effect is unknown.`);
    if (error instanceof TurnCancelled) noteDoubt(progress, call);
    throw error;
  }
  const end = await run.ledger.ride((bookkeeping) =>
    planActivities(`keep what ${call.name} gave`).storeToolEnd({
      ...place,
      callId: call.callId,
      toolName: call.name,
      result: answer.result,
      durationMs: Date.now() - startedAt,
      ...(isRetried ? { isRetried: true as const } : {}),
      ...(answer.isUnknown === true ? { isUnknown: true as const } : {}),
      bookkeeping,
    }),
  );
  return settle(progress, call, end);
}

function isTransient({ result, isUnknown }: Answer): boolean {
  return isUnknown !== true && !result.success && TRANSIENT.test(result.error ?? '');
}

async function relayed(
  { run, progress }: Scene,
  call: PlannedCall,
  callId: string,
  timeoutMs: number,
): Promise<Answer> {
  const { browserSessionId = '', waitForBrowserMs } = run.config.agent;
  const { tenant } = run.request;
  try {
    const result = await relayActivities(`${call.name} over the relay`, {
      toolMs: timeoutMs,
      waitForBrowserMs,
    }).relayCall({
      sessionId: run.sessionId,
      stepIndex: progress.stepIndex,
      browserSessionId,
      callId,
      tool: call.name,
      input: call.args,
      ...(tenant === undefined ? {} : { tenant }),
      waitForBrowserMs,
    });
    return { result, isUnknown: result.isUnknown };
  } catch (error) {
    return lost(error, call, 'The relay');
  }
}

/**
 * Waits for the process of the caller and says so when nobody comes: for ever in a conversation, whose user may come back
 * in a week, else within the time of the step.
 */
async function byClient(
  { run, progress }: Scene,
  call: PlannedCall,
  callId: string,
  timeoutMs: number,
): Promise<Answer> {
  const { clientQueue: queue = '', stayOpen } = run.config.agent;
  const input = { sessionId: run.sessionId, callId, name: call.name, args: call.args };
  try {
    for (let pickupMs = FIRST_PICKUP_MS; ; pickupMs = Math.min(pickupMs * 2, LONGEST_PICKUP_MS)) {
      try {
        const options = { queue, timeoutMs, pickupMs };
        return { result: await clientActivities(`${call.name} in the caller's process`, options).executeTool(input) };
      } catch (error) {
        if (!isNotPickedUp(error)) return lost(error, call, 'The process that runs the tools');
        if (stayOpen) run.clock.stop('caller');
        if (pickupMs === FIRST_PICKUP_MS) await tellNobodyListens(run, progress.stepIndex, call.name, queue);
      }
    }
  } finally {
    run.clock.start('caller');
  }
}

async function tellNobodyListens(run: SessionRun, stepIndex: number, tool: string, queue: string): Promise<void> {
  const warning = {
    id: uuid4(),
    code: 'EX001',
    message: `Nobody has come to run ${tool}: no process listens on the task queue ${queue}. Start the program that runs this session's tools; the session waits.`,
    timestamp: new Date(),
    sessionId: run.sessionId,
    stepIndex,
  };
  run.record('executor-streamer', StreamEventType.WARNING_ISSUED, { warning }, stepIndex);
  await run.publish('nobody listens for tools');
}

/** What a try that brought no answer means. A process that went away in the middle has perhaps done it. */
function lost(error: unknown, call: PlannedCall, who: string): Answer {
  if (CancellationScope.current().consideredCancelled || isCancellation(error) || isSuperseded(error)) throw error;
  const failure = applicationFailureOf(error);
  if (failure !== undefined) return { result: { success: false, error: failure.message } };
  if (!(error instanceof ActivityFailure)) throw error;
  const isLate = error.cause instanceof TimeoutFailure && error.cause.timeoutType === TimeoutType.START_TO_CLOSE;
  const what = isLate ? 'has timed out' : 'is not connected any more';
  if (call.effect !== 'commit') return { result: { success: false, error: `${who} ${what}.` } };
  const text = `${who} went away, or gave no answer in time: whether this took effect is unknown. Look before doing it again.`;
  return { result: { success: false, error: text }, isUnknown: true };
}
