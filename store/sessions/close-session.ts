import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord, NewRecord } from '../../contracts/events/log';
import { SessionStatus } from '../../contracts/sessions/session';
import { StepStatus } from '../../contracts/steps/step-result';
import { StoreRefusal } from '../database/refusals';
import type { Store } from '../store';
import { adviceAfter } from './what-was-done';

const { STEP_STARTED, STEP_COMPLETED, STEP_FAILED, SESSION_STATUS, WORKFLOW_FAILED } = StreamEventType;
const PAGE = 1000;

/**
 * Ends a session whose workflow can't do it any more (terminated, timed out or reset in Temporal, never started): each
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
  const record = (name: string, fields: Omit<NewRecord, 'eventId' | 'at'>): NewRecord => ({
    eventId: `${sessionId}/close-out/${name}`,
    at: new Date().toISOString(),
    ...fields,
  });
  const records: NewRecord[] = [
    ...open.map(({ stepIndex, data }) =>
      record(`step-${stepIndex}`, {
        owner: 'step-processor',
        type: STEP_FAILED,
        ...(stepIndex === undefined ? {} : { stepIndex }),
        data: { step: { ...data.step!, status: isCancelled ? StepStatus.CANCELLED : StepStatus.FAILED }, error },
      }),
    ),
    record('status', {
      owner: 'executor-streamer',
      type: SESSION_STATUS,
      data: { message: status, details: { status } },
    }),
    record('end', { owner: 'step-processor', type: WORKFLOW_FAILED, data: { message: error.message, error } }),
  ];
  try {
    await store.log.append(sessionId, records, { patch: { status, closed: true, paused: false, error } });
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
