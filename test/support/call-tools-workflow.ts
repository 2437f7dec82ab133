import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { ToolWorkerActivities } from '../../client/agent/tools/tool-worker';
import type { ClientCall } from '../../client/agent/tools/client-calls';
import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';

/** Calls tools of a client's process one after the other, as a session does; one that is silent for `silentMs` is asked for again. */
export async function callTools(queue: string, calls: ClientCall[], silentMs = 1000): Promise<BrowserToolResult[]> {
  const { executeTool } = proxyActivities<ToolWorkerActivities>({
    taskQueue: queue,
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: silentMs,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '100 milliseconds' },
  });
  const results: BrowserToolResult[] = [];
  for (const call of calls) results.push(await executeTool(call));
  return results;
}
