import type { BrowserToolResult } from '../../contracts/tasks/agent-loop';
import type { ToolInput } from '../../contracts/tools/tool-input';
import type { CallSettlement } from '../../contracts/relay/relay-call';
import type { Transaction } from '../database/connect';

/** What goes over the wire. */
export interface SentCall {
  requestId: string;
  sessionId: string;
  tool: string;
  input: ToolInput;
  timeoutMs: number;
}

export interface SettledCall extends CallSettlement {
  requestId: string;
}

/** A call as it is stored: input and result are JSON in text. */
export interface RelayCallRow extends Omit<SentCall, 'input'> {
  input: string;
  state: 'waiting' | 'sent' | 'answered' | 'unsent';
  sentMemory: string | null;
  sendCount: number;
  result: string | null;
  screenshot: Buffer | null;
  screenshotType: string | null;
  isUnknown: boolean;
  taskToken: Uint8Array;
  reportedAt: Date | null;
}

export function toSent({ requestId, sessionId, tool, input, timeoutMs }: RelayCallRow): SentCall {
  return { requestId, sessionId, tool, input: JSON.parse(input) as ToolInput, timeoutMs };
}

export function toSettled({ requestId, isUnknown, result, screenshot, screenshotType }: RelayCallRow): SettledCall {
  return {
    requestId,
    isUnknown,
    result: {
      ...(JSON.parse(result!) as BrowserToolResult),
      ...(screenshot === null
        ? {}
        : { screenshot: { data: screenshot.toString('base64'), mediaType: screenshotType! } }),
    },
  };
}

/** `answered` is for good; `unsent` may be asked for again. */
export async function settle(
  tx: Transaction,
  requestId: string,
  state: 'answered' | 'unsent',
  { result, isUnknown }: CallSettlement,
): Promise<void> {
  const { screenshot, ...rest } = result;
  await tx`
    update relay_calls set state = ${state}, result = ${JSON.stringify(rest)}, is_unknown = ${isUnknown},
      screenshot = ${screenshot === undefined ? null : Buffer.from(screenshot.data, 'base64')},
      screenshot_type = ${screenshot?.mediaType ?? null}, settled_at = clock_timestamp()
    where request_id = ${requestId}`;
}

/** The call of this browser, held until the transaction ends, or why there is nothing to do for it. */
export async function sentCallOf(
  tx: Transaction,
  browserSessionId: string,
  requestId: string,
): Promise<RelayCallRow | 'known' | 'not-sent'> {
  const [row] = await tx<RelayCallRow[]>`
    select * from relay_calls where request_id = ${requestId} and browser_session_id = ${browserSessionId} for update`;
  if (row === undefined || row.sendCount === 0) return 'not-sent';
  return row.state === 'sent' ? row : 'known';
}
