import type { LogRecord } from '../../../contracts/events/log';
import type { JournalEntry } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import type { WatchedSession } from '../load/session-load';

/** A yes that was taken must be kept, and a task must press nothing that nobody has allowed. */
export async function approvalBreaches(
  store: Store,
  { sessionId, form, decisions }: WatchedSession,
  log: readonly LogRecord[],
  presses: readonly JournalEntry[],
): Promise<string[]> {
  const breaches: string[] = [];
  const asked = log.flatMap(({ facts }) => (facts?.kind === 'approval' ? [facts] : []));
  for (const { approvalId } of asked)
    if (!decisions.some((each) => each.approvalId === approvalId)) breaches.push(`nobody was shown ${approvalId}`);
  const allowed = new Set<string>();
  for (const { approvalId, end, tries } of decisions) {
    const approval = await store.approvals.get(approvalId);
    const status = approval?.status ?? 'not there';
    if (status === 'approved') allowed.add(approval!.callId);
    if (end === 'unheard') breaches.push(`the answer to ${approvalId} was not taken in ${tries} tries`);
    if (end === 'accepted' && status !== 'approved') breaches.push(`${approvalId} was approved, and is ${status}`);
    if (end === 'refused' && status === 'pending')
      breaches.push(`the answer to ${approvalId} was refused, and it waits`);
  }
  if (form !== 'task') return breaches;
  for (const { commandId } of presses) {
    const call = await store.toolCalls.ofCommand(sessionId, commandId);
    if (call === null || !allowed.has(call.callId))
      breaches.push(`${commandId} was pressed, and nobody had allowed it`);
  }
  return breaches;
}
