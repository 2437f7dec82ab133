import { proxyActivities } from '@temporalio/workflow';
import type { RelayCallInput } from '../../activities/signatures/relay-activities';
import { remoteTimeoutMs } from '../../contracts/tools/browser-tools';
import type { RelayCallOutput } from '../../contracts/relay/relay-call';
import { relayActivities } from '../../workflows/proxies/activity-proxies';

const { claim } = proxyActivities<{ claim(sessionId: string): Promise<void> }>({ startToCloseTimeout: '1 minute' });

/** A session that does nothing but call tools over the relay, one after the other. */
export async function relayProbe(calls: RelayCallInput[]): Promise<RelayCallOutput[]> {
  const outputs: RelayCallOutput[] = [];
  for (const call of calls) {
    await claim(call.sessionId);
    const toolTimeoutMs = remoteTimeoutMs(call.tool, call.input);
    const { relayCall } = relayActivities(call.tool, { toolTimeoutMs, waitForBrowserMs: call.waitForBrowserMs ?? 0 });
    outputs.push(await relayCall(call));
  }
  return outputs;
}
