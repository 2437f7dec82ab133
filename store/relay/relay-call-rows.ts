import type { Row } from 'postgres';
import type { BrowserToolResult, ToolInput } from '../../contracts/tools/browser-tool';
import type { Settled } from '../../contracts/relay/relay-call';
import type { Transaction } from '../database/connect';

/** What goes over the wire. */
export interface SentCall {
  requestId: string;
  sessionId: string;
  tool: string;
  input: ToolInput;
  timeoutMs: number;
}

export interface SettledCall extends Settled {
  requestId: string;
}

export function toSent(row: Row): SentCall {
  return {
    requestId: row['request_id'],
    sessionId: row['session_id'],
    tool: row['tool'],
    input: JSON.parse(row['input'] as string) as ToolInput,
    timeoutMs: row['timeout_ms'],
  };
}

export function toSettled(row: Row): SettledCall {
  const { result, screenshot, screenshot_type: mediaType } = row;
  const data = (screenshot as Buffer | null)?.toString('base64');
  return {
    requestId: row['request_id'],
    isUnknown: row['is_unknown'],
    result: {
      ...(JSON.parse(result as string) as BrowserToolResult),
      ...(data === undefined ? {} : { screenshot: { data, mediaType: mediaType as string } }),
    },
  };
}

/** `answered` is for good; `unsent` may be asked for again. */
export async function settle(
  tx: Transaction,
  requestId: string,
  state: 'answered' | 'unsent',
  { result, isUnknown }: Settled,
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
): Promise<Row | 'known' | 'foreign'> {
  const [row] = await tx`
    select * from relay_calls where request_id = ${requestId} and browser_session_id = ${browserSessionId} for update`;
  if (row === undefined || row['sendings'] === 0) return 'foreign';
  return row['state'] === 'sent' ? row : 'known';
}
