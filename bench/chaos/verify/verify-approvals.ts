import type { LogRecord } from '../../../contracts/events/log';
import type { JournalEntry } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import type { WatchedSession } from '../load/session-load';

/** Checks that every accepted approval is stored, and that a task pressed nothing without an approval. */
export async function approvalBreaches(
  store: Store,
  { sessionId, form, decisions }: WatchedSession,
  log: readonly LogRecord[],
  presses: readonly JournalEntry[],
): Promise<string[]> {
  const breaches: string[] = [];
  const asked = log.flatMap(({ facts }) => (facts?.kind === 'approval' ? [facts] : []));
  for (const { approvalId } of asked)
    if (!decisions.some((each) => each.approvalId === approvalId)) breaches.push(`no viewer received ${approvalId}`);
  const allowed = new Set<string>();
  for (const { approvalId, end, tries } of decisions) {
    const approval = await store.approvals.get(approvalId);
    const status = approval?.status ?? 'missing';
    if (status === 'approved') allowed.add(approval!.callId);
    if (end === 'unheard') breaches.push(`${approvalId} was not answered in ${tries} tries`);
    if (end === 'accepted' && status !== 'approved') breaches.push(`${approvalId} was approved, but is ${status}`);
    if (end === 'refused' && status === 'pending')
      breaches.push(`the decision on ${approvalId} was refused, but it is pending`);
  }
  if (form !== 'task') return breaches;
  for (const { commandId } of presses) {
    const call = await store.toolCalls.ofCommand(sessionId, commandId);
    if (call === null || !allowed.has(call.callId)) breaches.push(`${commandId} was pressed without an approval`);
  }
  return breaches;
}
