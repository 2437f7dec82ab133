import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { planActivities } from '../proxies/task-proxies';
import { observePage, runCommandBatch, type Stopper } from '../sessions/run-batch';
import { resolveUnknown } from '../sessions/resolve-unknown';
import { askAgain } from './ask-again';
import { neverRan, toCallEnd, type CallContext } from './call-ends';
import { endCallOfCancelledTask } from './end-cancelled-call';
import { CallCancelled } from '../turns/turn-calls';

type Command = Extract<PlannedCall['run'], { kind: 'browser' }>['command'];

const PAGE_REPLACED =
  'The session was paused and its page is not as it was: this was not done. Look at the page first.';
const BROWSER_LOST = 'The browser was lost; another one has what was kept of the page. Look at it before going on.';

/**
 * Runs a call as one command in the session's browser. Where something else would have left than was approved, a person is
 * asked once more, about that.
 */
export async function runBrowserCall(context: CallContext, call: PlannedCall, command: Command): Promise<CallEnd> {
  const end = await runOnce(context, call, command);
  if (!('differences' in end)) return end;
  const again = await askAgain(context, call, end.differences);
  if (again.kind === 'ended') return again.end;
  const second = await runOnce(context, again.call, again.command);
  return 'differences' in second ? { callId: call.callId, status: 'error' } : second;
}

/** The end of a call, or what differs between what was approved and what would have left: then it has no end yet. */
type RunEnd = CallEnd | { differences: string[] };

async function runOnce(context: CallContext, call: PlannedCall, command: Command): Promise<RunEnd> {
  const { run } = context;
  const batch = await runCommand(context, call, command);
  if (batch === 'page-replaced') return skip(context, call, PAGE_REPLACED);
  if (typeof batch === 'object') {
    run.browser.setPage(batch.page);
    const [outcome] = batch.outcomes;
    if (outcome?.status === 'done') return toCallEnd(context, call, { status: 'success' });
    if (outcome?.differences !== undefined) return { differences: outcome.differences };
    if (outcome?.status === 'failed') {
      const { code = 'TL004', message = '', endsStep } = outcome;
      return { ...toCallEnd(context, call, { status: 'error', failure: { code, message } }), endsStep };
    }
    if (outcome?.status !== 'unknown')
      return skip(context, call, 'It was not begun. Look at the page, then say what to do.');
  }
  return await endFromJournal(context, call, command.commandId, batch === 'stopped');
}

async function runCommand({ run, progress }: CallContext, { callId }: PlannedCall, command: Command) {
  const { turns, calls } = run.task;
  const stopper: Stopper = {
    get isCancelled() {
      return turns.isCancelled || calls.cancellationOf(callId) !== undefined;
    },
    run: (work) => turns.run(() => calls.during(callId, work)),
  };
  try {
    return await runCommandBatch(run, [command], progress, stopper);
  } catch (error) {
    // It was cancelled while it waited for a browser.
    if (error instanceof CallCancelled) return 'stopped' as const;
    throw error;
  }
}

/** The end of a call whose batch could not report it: its browser was lost, or nobody saw the command end. */
async function endFromJournal(
  context: CallContext,
  call: PlannedCall,
  commandId: string,
  isStopped: boolean,
): Promise<RunEnd> {
  const { run, progress } = context;
  const { callId } = call;
  const outcome = await planActivities('what became of it').getCommandOutcome({
    sessionId: run.session.id,
    stepIndex: progress.stepIndex,
    commandId,
  });
  if (outcome.status === 'unknown')
    return await endByAnswer(context, callId, await resolveUnknown(run, outcome.unknown, progress));
  if (outcome.status === 'done') return toCallEnd(context, call, { status: 'success' });
  const cancellation = run.task.turns.isCancelled ? undefined : run.task.calls.cancellationOf(callId);
  if (cancellation !== undefined && (outcome.status === 'unrun' || outcome.status === 'begun')) {
    const end = await endCallOfCancelledTask(context, call, cancellation, commandId);
    // What it was stopped in the middle of shows on the page alone.
    if (outcome.status === 'begun') await observePage(run, progress);
    return end;
  }
  if (outcome.status === 'unrun' && isStopped)
    return neverRan(context, call, 'cancelled', 'The response was cancelled before this ran.');
  if (outcome.status === 'unrun') return skip(context, call, `${BROWSER_LOST} This was not done.`);
  if (outcome.status === 'failed' && outcome.differences !== undefined) return { differences: outcome.differences };
  if (outcome.status === 'failed')
    return { callId, status: 'error', message: `Error: ${outcome.message} ${BROWSER_LOST}` };
  progress.noteDoubt(call);
  const message = 'Error: it was begun and then stopped: whether it took effect is unknown. Look at the page first.';
  return { callId, status: 'cancelled', message };
}

/** The answer may have taken days: the model gets a new snapshot of the page with it. */
async function endByAnswer(
  { run, progress }: CallContext,
  callId: string,
  { happened, by }: Awaited<ReturnType<typeof resolveUnknown>>,
): Promise<CallEnd> {
  await observePage(run, progress);
  const who = by === 'person' ? 'a person has looked and says' : 'the site was looked at and shows';
  if (happened) return { callId, status: 'success', message: `It was interrupted; ${who} that it happened.` };
  const message = `Error: it was interrupted; ${who} that it did not happen. Call it again if it is still wanted.`;
  return { callId, status: 'error', message };
}

function skip(context: CallContext, call: PlannedCall, why: string): CallEnd {
  return { ...neverRan(context, call, 'error', why), isSkipped: true };
}
