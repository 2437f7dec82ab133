import type { ToolEnd } from '../../activities/task-activities';
import { cancelledText } from '../../contracts/tools/call-cancellation';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { planActivities, toolActivities } from '../activities/task-proxies';
import { neverBegan, neverRan, noteDoubt, settle, type CallContext } from './call-ends';
import { CallRecords } from './call-records';
import { CallCancelled } from './turn-calls';
import { runBatch, type Stopper } from '../browsers/run-batch';
import { elsewhere } from './run-remote-call';

/** Runs a call that was cleared, by whoever has its tool. What fails is told to the model and ends nothing (S0.A7). */
export async function runCall(scene: CallContext, call: PlannedCall): Promise<CallEnd> {
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

function refuse({ run, progress }: CallContext, call: PlannedCall, message: string): CallEnd {
  new CallRecords(run, progress).refused(call, message);
  return { callId: call.callId, status: 'error', message: `Error: ${message}` };
}

async function inOwnBrowser(
  scene: CallContext,
  call: PlannedCall,
  command: Extract<PlannedCall['run'], { kind: 'browser' }>['command'],
): Promise<CallEnd> {
  const { run, pause, progress } = scene;
  const { callId } = call;
  const { stepIndex, turn } = progress;
  const stopper: Stopper = {
    get isCancelled() {
      return run.turns.isCancelled || run.calls.wishFor(callId) !== undefined;
    },
    run: (work) => run.turns.run(() => run.calls.during(callId, work)),
  };
  let batch: Awaited<ReturnType<typeof runBatch>>;
  try {
    batch = await runBatch(run, pause, { commands: [command] }, stepIndex, turn, stopper);
  } catch (error) {
    if (!(error instanceof CallCancelled)) throw error;
    // It waited for a browser.
    batch = 'stopped';
  }
  if (batch === 'page-replaced') {
    const why = 'The session was paused and its page is not as it was: this was not done. Look at the page first.';
    return leftOut(scene, call, why);
  }
  if (typeof batch === 'object') {
    run.seePage(batch.page);
    const [outcome] = batch.outcomes;
    if (outcome?.status === 'done') return settle(scene, call, { status: 'success' });
    if (outcome?.status === 'failed') return settle(scene, call, { status: 'error' });
    if (outcome?.status !== 'unknown')
      return leftOut(scene, call, 'It was not begun. Look at the page, then say what to do.');
  }
  const { commandId } = command;
  const known = await planActivities('what came of it').getCommandOutcome({
    sessionId: run.sessionId,
    stepIndex,
    commandId,
  });
  if (known.status === 'unknown') return await asPersonSays(scene, callId, await run.unknownWait.ask(known.unknown));
  if (known.status === 'done') return settle(scene, call, { status: 'success' });
  const wish = run.turns.isCancelled ? undefined : run.calls.wishFor(callId);
  if (wish !== undefined && (known.status === 'unrun' || known.status === 'begun')) {
    // What it was stopped in the middle of shows on the page alone.
    if (known.status === 'begun') await look(scene);
    return await endCancelled(scene, call, wish, commandId);
  }
  if (known.status === 'unrun' && batch === 'stopped')
    return neverRan(scene, call, 'cancelled', 'The response was cancelled before this ran.');
  const lost = 'The browser was lost; another one has what was kept of the page. Look at it before going on.';
  if (known.status === 'unrun') return leftOut(scene, call, `${lost} This was not done.`);
  if (known.status === 'failed') return { callId, status: 'error', message: `Error: ${known.message} ${lost}` };
  noteDoubt(progress, call);
  const message = 'Error: it was begun and then stopped: whether it took effect is unknown. Look at the page first.';
  return { callId, status: 'cancelled', message };
}

async function look({ run, pause, progress }: CallContext): Promise<void> {
  const looked = await runBatch(run, pause, { commands: [] }, progress.stepIndex, progress.turn);
  if (typeof looked !== 'string') run.seePage(looked.page);
}

/** The answer may have taken days: the page is looked at before the model is told. */
async function asPersonSays(scene: CallContext, callId: string, happened: boolean): Promise<CallEnd> {
  await look(scene);
  if (happened)
    return { callId, status: 'success', message: 'It was interrupted; a person has looked and says that it happened.' };
  const message =
    'Error: it was interrupted; a person has looked and says that it did not happen. Call it again if it is still wanted.';
  return { callId, status: 'error', message };
}

function leftOut(scene: CallContext, call: PlannedCall, why: string): CallEnd {
  return { ...neverRan(scene, call, 'error', why), isSkipped: true };
}

async function byTool(scene: CallContext, call: PlannedCall, timeoutMs: number): Promise<CallEnd> {
  const { run, progress } = scene;
  const { stepIndex, turn } = progress;
  const { callId, name } = call;
  const runTool = (): Promise<ToolEnd> =>
    run.outbox.flushWith((outbox) =>
      toolActivities(`run ${name}`, timeoutMs).runTool({
        sessionId: run.sessionId,
        stepIndex,
        turn,
        callId,
        name,
        outbox,
      }),
    );
  try {
    return settle(scene, call, await run.turns.run(() => run.calls.during(callId, runTool)));
  } catch (error) {
    if (!(error instanceof CallCancelled)) throw error;
    return await endCancelled(scene, call, error.reason);
  }
}

/** One that was stopped and could not say how far it came: no worker had taken it yet, or the one that had is gone. */
async function endCancelled(
  scene: CallContext,
  call: PlannedCall,
  reason: string,
  commandId?: string,
): Promise<CallEnd> {
  const { run, progress } = scene;
  const { callId, name, effect } = call;
  const { stepIndex, turn } = progress;
  const message = cancelledText(effect === 'commit' ? 'unknown' : 'harmless', reason);
  const came = await run.outbox.flushWith((outbox) =>
    planActivities(`end ${name}, which was cancelled`).endCancelledCall({
      sessionId: run.sessionId,
      stepIndex,
      turn,
      callId,
      ...(commandId === undefined ? {} : { commandId }),
      message,
      outbox,
    }),
  );
  if (came === 'success' || came === 'error') return settle(scene, call, { status: came });
  if (came === 'unrun') {
    const end = neverBegan(scene, call, reason);
    // What comes next may be a long wait.
    await run.publish(`${name} was cancelled`);
    return end;
  }
  noteDoubt(progress, call);
  return { callId, status: 'cancelled', message };
}
