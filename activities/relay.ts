import { activityInfo, CompleteAsyncError } from '@temporalio/activity';
import { remoteTimeoutMs } from '../contracts/tools/browser-tools';
import { relayRequestId, toRelayOutput, type RelayCallOutput } from '../contracts/relay/relay-call';
import { DEFAULT_TENANT } from '../contracts/sessions/start-request';
import type { Store } from '../store/store';
import type { ActivityCall } from './activity/activity';
import { EngineError } from './activity/failures';
import type { RelayCallInput } from './signatures/relay-activities';

interface RelayDeps {
  store: Pick<Store, 'relay'>;
}

const REFUSALS = {
  'no-browser': 'does not exist, or not for this tenant',
  revoked: 'was revoked',
  expired: 'has expired',
} as const;

/**
 * Stores the call and returns. The API process that holds the browser's socket sends it, and completes this activity
 * when the answer is stored. Another attempt finds the call, or its answer, and changes nothing.
 */
export async function relayCall(
  { store: { relay } }: RelayDeps,
  { sessionId, browserSessionId, callId, tool, input, tenant = DEFAULT_TENANT, waitForBrowserMs = 0 }: RelayCallInput,
  { runId }: ActivityCall,
): Promise<RelayCallOutput> {
  // Ends overdue calls here as well, in case no API process runs.
  await relay.answers.settleOverdue();
  const requestId = relayRequestId(sessionId, callId);
  const requested = await relay.calls.request({
    requestId,
    sessionId,
    runId,
    browserSessionId,
    tenant,
    tool,
    input,
    timeoutMs: remoteTimeoutMs(tool, input),
    waitForBrowserMs,
    taskToken: activityInfo().taskToken,
  });
  switch (requested.kind) {
    case 'settled':
      return toRelayOutput(requestId, requested.call);
    case 'refused':
      throw refusal(requested.reason, browserSessionId, requestId);
    case 'pending':
      await relay.notifier.notify(browserSessionId);
      throw new CompleteAsyncError();
  }
}

function refusal(reason: 'other-arguments' | keyof typeof REFUSALS, browser: string, requestId: string): EngineError {
  if (reason === 'other-arguments') {
    const message = `The call ${requestId} was asked for before with another tool or other arguments. Give each call an id of its own.`;
    return new EngineError('TL004', message, { isFinal: true });
  }
  const message = `The browser session ${browser} ${REFUSALS[reason]}. Pair the browser again: POST /v1/browser-sessions/pair.`;
  return new EngineError('EX001', message, { isFinal: true });
}
