import type { ClientCall } from './client-calls';
import type { AgentConnection } from './connection';

/** What the workflow adds to the id of a call that it sends a second time. */
const SECOND_TRY = /-2$/;

/** The call with its whole arguments: what travels through the workflow is redacted and capped. */
export async function callOf({ store }: Pick<AgentConnection, 'store'>, call: ClientCall): Promise<ClientCall> {
  const kept = await store.toolCalls.get(call.sessionId, call.callId.replace(SECOND_TRY, ''));
  return kept === null ? call : { ...call, args: kept.args };
}
