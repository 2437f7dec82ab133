import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord, NewRecord } from '../../contracts/events/log';
import { SessionStatus } from '../../contracts/sessions/session';
import { StepStatus } from '../../contracts/steps/step-result';
import { StoreRefusal } from '../database/refusals';
import type { Store } from '../store';
import { nameTheLoss } from './name-the-loss';
import type { RowPatch } from '../../contracts/events/outbox';
import type { SessionRow } from '../sessions/sessions';
import { adviceAfter } from '../sessions/what-was-done';

const { STEP_STARTED, STEP_COMPLETED, STEP_FAILED, SESSION_STATUS, WORKFLOW_COMPLETED, WORKFLOW_FAILED } =
  StreamEventType;
const PAGE = 1000;

/**
 * Ends a session whose workflow can't do it any more (terminated or timed out in Temporal, never started): each
 * started step gets its end, then the terminal event, and the row is closed (S1.A30). Where the session has done what is not
 * taken back, its error says what, and advises against a second start. Harmless when it is closed already.
 */
export async function closeSession(
  store: Pick<Store, 'log' | 'journal'>,
  sessionId: string,
  ending: { status: SessionStatus.FAILED | SessionStatus.CANCELLED; error: StandardError },
): Promise<void> {
  const { status } = ending;
  const advice = adviceAfter(sessionId, await store.journal.ofSession(sessionId));
  const error = advice === undefined ? ending.error : { ...ending.error, suggestedAction: advice };
  const isCancelled = status === SessionStatus.CANCELLED;
  const open = openSteps(await wholeLog(store, sessionId));
  const stepStatus = isCancelled ? StepStatus.CANCELLED : StepStatus.FAILED;
  const records: NewRecord[] = [
    ...open.map((started) => stepEnd(sessionId, started, STEP_FAILED, { status: stepStatus, error })),
    statusRecord(sessionId, status),
    endRecord(sessionId, 'end', {
      owner: 'step-processor',
      type: WORKFLOW_FAILED,
      data: { message: error.message, error },
    }),
  ];
  const end = { records, patch: { status, closed: true, paused: false, error } };
  const named = await nameTheLoss(store, sessionId, end);
  await appendEnd(store, sessionId, named.records, named.patch);
}

/**
 * Writes the end of a session that has completed, in a database that was put back to an earlier time and has forgotten it.
 * What came before it in the log stays lost, as the message says. Harmless when it is closed already.
 */
export async function completeForgotten(
  store: Pick<Store, 'log'>,
  { sessionId, status }: Pick<SessionRow, 'sessionId' | 'status'>,
): Promise<void> {
  const open = openSteps(await wholeLog(store, sessionId));
  const message =
    'The session is done. The database was put back to an earlier time and had forgotten the end of it, which Temporal has; ' +
    'what is missing in this log was done.';
  const records: NewRecord[] = [
    ...open.map((started) => stepEnd(sessionId, started, STEP_COMPLETED, { status: StepStatus.COMPLETED })),
    statusRecord(sessionId, SessionStatus.COMPLETED),
    endRecord(sessionId, 'end', { owner: 'step-processor', type: WORKFLOW_COMPLETED, data: { message } }),
  ];
  if (status !== SessionStatus.ACTIVE)
    await appendEnd(store, sessionId, [], { status: SessionStatus.ACTIVE, paused: false });
  await appendEnd(store, sessionId, records, { status: SessionStatus.COMPLETED, closed: true, paused: false });
}

function endRecord(sessionId: string, name: string, fields: Omit<NewRecord, 'eventId' | 'at'>): NewRecord {
  return { eventId: `${sessionId}/close-out/${name}`, at: new Date().toISOString(), ...fields };
}

function statusRecord(sessionId: string, status: SessionStatus): NewRecord {
  const data = { message: status, details: { status } };
  return endRecord(sessionId, 'status', { owner: 'executor-streamer', type: SESSION_STATUS, data });
}

function stepEnd(
  sessionId: string,
  { stepIndex, data }: LogRecord,
  type: typeof STEP_COMPLETED | typeof STEP_FAILED,
  { status, error }: { status: StepStatus; error?: StandardError },
): NewRecord {
  return endRecord(sessionId, `step-${stepIndex}`, {
    owner: 'step-processor',
    type,
    ...(stepIndex === undefined ? {} : { stepIndex }),
    data: { step: { ...data.step!, status }, ...(error === undefined ? {} : { error }) },
  });
}

async function appendEnd(
  store: Pick<Store, 'log'>,
  sessionId: string,
  records: NewRecord[],
  patch: RowPatch,
): Promise<void> {
  try {
    await store.log.append(sessionId, records, { patch });
  } catch (refusal) {
    if (!(refusal instanceof StoreRefusal) || refusal.reason !== 'closed') throw refusal;
  }
}

async function wholeLog(store: Pick<Store, 'log'>, sessionId: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (;;) {
    const page = await store.log.read(sessionId, records.at(-1)?.seq ?? 0, PAGE);
    records.push(...page);
    if (page.length < PAGE) return records;
  }
}

function openSteps(records: readonly LogRecord[]): LogRecord[] {
  const isEnd = ({ type }: LogRecord): boolean => type === STEP_COMPLETED || type === STEP_FAILED;
  const ended = new Set(records.filter(isEnd).map((record) => record.stepIndex));
  return records.filter(({ type, stepIndex }) => type === STEP_STARTED && !ended.has(stepIndex));
}
