import type { ToolEnd } from '../../activities/signatures/task-activities';
import type { CallEnd, PlannedCall } from '../../contracts/tools/planned-call';
import { toolActivities } from '../proxies/task-proxies';
import { toCallEnd, type CallContext } from './call-ends';
import { CallRecords } from './call-records';
import { endCallOfCancelledTask } from './end-cancelled-call';
import { runBrowserCall } from './run-browser-call';
import { runRemoteCall } from './run-remote-call';
import { CallCancelled } from '../turns/turn-calls';

/** Runs a call that was cleared, where its tool runs. The model gets a failure as the result of the call; it ends nothing (S0.A7). */
export async function runCall(context: CallContext, call: PlannedCall): Promise<CallEnd> {
  switch (call.run.kind) {
    case 'refused':
      return refuse(context, call, call.run.message);
    case 'browser':
      return await runBrowserCall(context, call, call.run.command);
    case 'tool':
      return await runEngineTool(context, call, call.run.timeoutMs);
    case 'relay':
    case 'client':
      return await runRemoteCall(context, call, call.run);
  }
}

function refuse({ run, progress }: CallContext, call: PlannedCall, message: string): CallEnd {
  new CallRecords(run.session, progress).refused(call, message);
  return { callId: call.callId, status: 'error', message: `Error: ${message}` };
}

async function runEngineTool(context: CallContext, call: PlannedCall, timeoutMs: number): Promise<CallEnd> {
  const { session, task } = context.run;
  const { stepIndex, turn } = context.progress;
  const { callId, name } = call;
  const runTool = (): Promise<ToolEnd> =>
    session.outbox.flushWith((outbox) =>
      toolActivities(`run ${name}`, timeoutMs).runTool({
        sessionId: session.id,
        stepIndex,
        turn,
        callId,
        name,
        outbox,
      }),
    );
  try {
    return toCallEnd(context, call, await task.turns.run(() => task.calls.during(callId, runTool)));
  } catch (error) {
    if (!(error instanceof CallCancelled)) throw error;
    return await endCallOfCancelledTask(context, call, error.reason);
  }
}
