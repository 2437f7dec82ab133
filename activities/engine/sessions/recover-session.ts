import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import type { LostRecords, NewRecord } from '../../../contracts/events/log';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { RecalledCommand } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import { commandRecords } from '../../recorded/command-records';
import type { RecoverSessionInput, RecoverSessionOutput, ReportedCommand } from '../../signatures/recovery-activities';
import { EngineError, toStandardError } from '../../activity/failures';
import { writeOutbox } from '../../activity/write-outbox';

/**
 * Writes again what a database that was put back to an earlier time has forgotten of a session, as far as its workflow knows
 * it: the row, the commands that were reported, and the workflow's own records. A commit of the current step becomes unknown,
 * so that a person is asked, unless the session has ended; any other command keeps the outcome that was reported. What was begun and not reported is known
 * to its host, whose next batch enters it. Repeating it is harmless.
 */
export async function recoverSession(
  { store }: { store: Store },
  { sessionId, plan, continuedFrom, stepIndex, epoch, hostId, commands, outbox }: RecoverSessionInput,
  { workflowId, runId }: Pick<ActivityCall, 'workflowId' | 'runId'>,
): Promise<RecoverSessionOutput> {
  const found = await store.sessions.get(sessionId);
  const row = found ?? (await store.sessions.create({ sessionId, workflowId, plan })).row;
  await store.sessions.assignRun(sessionId, runId, continuedFrom);
  const guard = { runId };
  const hasEnded = stepIndex === undefined;
  // The only status from which each other one may follow.
  if (row.status === SessionStatus.INITIALIZING || (hasEnded && row.status !== SessionStatus.ACTIVE))
    await store.log.append(sessionId, [], { guard, patch: { status: SessionStatus.ACTIVE, paused: false } });
  const ids = commands.map(({ command }) => command.commandId);
  const kept = ids.length === 0 ? [] : await store.journal.find(sessionId, ids);
  const missing = commands.filter(({ command }) => kept.every(({ commandId }) => commandId !== command.commandId));
  const recalled = missing.map((reported) => recall(sessionId, reported, stepIndex, epoch));
  await store.journal.recall(
    sessionId,
    guard,
    recalled.map(({ command }) => command),
    (lost) => [warningRecord(sessionId, missing, lost), ...recalled.flatMap(({ records }) => records)],
    { seq: 0, epoch },
  );
  // What it knows the database to have had is in it, to be written again.
  // Its Chrome runs, and nobody else has its page.
  if (hostId !== undefined) await store.leases.enterAgain(sessionId, hostId, epoch);
  await writeOutbox(store, sessionId, runId, { ...outbox, known: {} });
  const commits = missing.filter(({ command }) => EFFECT_CLASS[command.action] === 'commit');
  return { forgotten: commits.map(({ command }) => command.commandId) };
}

function recall(
  sessionId: string,
  { command, stepIndex, turn, position, status }: ReportedCommand,
  currentStep: number | undefined,
  epoch: number,
): { command: RecalledCommand; records: NewRecord[] } {
  const { commandId, action, parameters, target } = command;
  const effect = EFFECT_CLASS[action];
  const records = commandRecords({ sessionId, stepIndex, turn }, command);
  const intent = { commandId, stepIndex, turn, position, action, parameters, effect, target, pageUrl: '' };
  const known = { intent: { ...intent, target: target && { ...target } }, intendedAt: new Date().toISOString(), epoch };
  const mayBeRepeated = effect === 'commit' && stepIndex === currentStep;
  if (status === 'done' && !mayBeRepeated)
    return { command: { ...known, status }, records: [records.started(), records.completed(0)] };
  const witnesses = `The database was put back to an earlier time and has forgotten this command. Temporal's history has it as ${status}.`;
  const isUnknown = mayBeRepeated || status === 'unknown';
  const cause = new EngineError('TL004', witnesses, { details: isUnknown ? { outcome: 'unknown' } : {} });
  const error = toStandardError(cause, 'TL004', { sessionId, stepIndex, commandId });
  const evidence = { kind: 'forgotten', urlBefore: '', urlAfter: '', witnesses } as const;
  return {
    command: { ...known, status: isUnknown ? 'unknown' : 'failed', error, evidence },
    records: [records.started(), records.failed(0, error)],
  };
}

function warningRecord(sessionId: string, missing: readonly ReportedCommand[], lost: LostRecords): NewRecord {
  const id = `${sessionId}/recovered/${lost.lostFrom}`;
  const message =
    `The database was put back to an earlier time: records of this session from ${lost.lostFrom} on were lost, and ` +
    `${missing.length} of its commands. What Temporal knows of them is written again.`;
  return {
    eventId: id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: new Date().toISOString(),
    data: { warning: { id, code: 'CM002', message, timestamp: new Date(), sessionId, details: lost } },
  };
}
