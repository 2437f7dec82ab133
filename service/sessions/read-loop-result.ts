import type { AgentLoopResult } from '../../contracts/tasks/agent-loop';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { assertGapless } from '../events/follow-format';
import { readLog } from '../events/read-log';
import { ClientError } from '../port/port';
import { logGone, requireSessionRow } from '../rows/session-row';
import { LoopResult } from './loop-result';

const PAGE = 1000;

/** Folds the log of a session that has ended into S0.5. Throws `wrong-state` before its end, `gone` where the log is cut. */
export async function readLoopResult(store: Store, name: string): Promise<AgentLoopResult> {
  const row = await fromStore(() => requireSessionRow(store, name));
  const { sessionId, status, lastSeq } = row;
  if (!row.closed) {
    const message = `Session ${sessionId} has not ended; its result is known then.`;
    throw new ClientError('wrong-state', 'SP001', message, { state: status });
  }
  if (row.isExpired) throw logGone(sessionId, lastSeq + 1, true);
  const result = new LoopResult();
  for (let after = 0; after < lastSeq;) {
    const records = await readLog(store, sessionId, after, PAGE);
    assertGapless(records, after);
    for (const record of records) result.add(record);
    after = records.at(-1)?.seq ?? lastSeq;
  }
  return result.result();
}
