import { isDeepStrictEqual } from 'node:util';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { isStreamType, type LogRecord } from '../../../contracts/events/log';
import { logOrderProblems } from '../../log-checks/log-order';
import { payloadProblems } from '../../log-checks/payloads';
import { SessionStatus } from '../../../contracts/sessions/session';
import type { JournalEntry } from '../../../store/journal/journal';
import type { RecipeOutcome } from '../../../store/recipes/recipes';
import type { HarnessClient } from '../../harness/harness';
import type { SessionForm } from '../load/demo-request';
import { approvalBreaches } from './verify-approvals';
import type { WatchedSession } from '../load/session-load';
import type { Viewing } from '../load/viewer';
import { isOrderPress, verifyOrders, verifyPresses } from './verify-commits';

/** The result of verifying one session. */
export interface VerifiedSession {
  sessionId: string;
  form: SessionForm;
  /** Number of approvals that were answered. */
  approvals: number;
  status: SessionStatus;
  /** Why it failed. */
  reason: string | undefined;
  orders: number;
  log: LogRecord[];
  duplicatesSeen: number;
  eventsMissed: number;
  /** Each unknown outcome and how it was resolved. */
  unknowns: string[];
  recipes: RecipeOutcome[];
  breaches: string[];
}

const PAGE = 5000;

export async function verifySession(
  { store, sessions, shop }: HarnessClient,
  watched: WatchedSession,
): Promise<VerifiedSession> {
  const { sessionId, form, scenario, viewings, answers, decisions } = watched;
  const { firstSeq } = await sessions.state(sessionId);
  const [kept, journal, { session, error }] = await Promise.all([
    store.log.read(sessionId, firstSeq - 1, PAGE),
    store.journal.ofSession(sessionId),
    sessions.get(sessionId),
  ]);
  const log = watched.meanwhile?.log ?? kept;
  const { status } = session;
  const commits = await (scenario === undefined ? verifyOrders : verifyPresses)(shop, watched.run, status, journal);
  const breaches = [
    ...logOrderProblems(log),
    ...payloadProblems(log),
    ...(watched.meanwhile?.breaches ?? []),
    ...(isDeepStrictEqual(kept, log.slice(firstSeq - 1)) ? [] : ['what is kept differs from what was followed']),
    ...commits.breaches,
    ...(await approvalBreaches(store, watched, log, journal.filter(isOrderPress))),
  ];
  if (status === SessionStatus.FAILED && !error?.message) breaches.push('it failed without a reason');

  // The stream omits types that only other formats have.
  const published = log.filter(({ type }) => isStreamType(type)).map(({ seq, type }) => `${seq} ${type}`);
  let [duplicatesSeen, eventsMissed] = [0, 0];
  for (const { frames, cuts, isWhole } of viewings) {
    const seen = new Set(frames);
    // What a viewer knows to be gone, it has not missed.
    const due = published.filter((line) => !cuts.some((cut) => isCutOff(line, cut)));
    duplicatesSeen += frames.length - seen.size;
    eventsMissed += due.filter((line) => !seen.has(line)).length;
    if (cuts.some(({ nextAfter }) => nextAfter !== firstSeq - 1))
      breaches.push(`a viewer was sent on from ${cuts.map(({ nextAfter }) => nextAfter).join()}, not ${firstSeq - 1}`);
    if (!isWhole) breaches.push('a viewer did not reach the end of the stream');
    else if (frames.join() !== due.join()) breaches.push('what a viewer received differs from the log');
  }
  return {
    sessionId,
    form,
    approvals: decisions.length,
    status,
    reason: status === SessionStatus.COMPLETED ? undefined : (error?.message ?? 'no reason'),
    orders: commits.count,
    log,
    duplicatesSeen,
    eventsMissed,
    recipes: (await store.recipes.usesOf(sessionId)).map(({ outcome }) => outcome),
    unknowns: unknownsOf(journal, log, answers),
    breaches,
  };
}

/** Whether this event lies between a viewer's last one and the one that it was sent on from. */
function isCutOff(line: string, { after, nextAfter }: Viewing['cuts'][number]): boolean {
  const seq = Number(line.split(' ')[0]);
  return seq > after && seq <= nextAfter;
}

/** How the lines of unknown outcomes go on that were resolved without a person or a model. */
export const BY_CHECK = 'the check of its step found that';

/** Lists each command whose outcome was unknown and how it was resolved, including answers of a person. */
function unknownsOf(
  journal: readonly JournalEntry[],
  log: readonly LogRecord[],
  answers: WatchedSession['answers'],
): string[] {
  return journal.flatMap((entry) => {
    const answer = answers.get(entry.commandId);
    if (answer !== undefined)
      return [`${nameOf(entry)}: a person answered that it ${answer ? 'had happened' : 'had not happened'}`];
    if (entry.resolution?.by === 'check')
      return [`${nameOf(entry)}: ${BY_CHECK} it ${entry.resolution.happened ? 'had happened' : 'had not happened'}`];
    return entry.status === 'unknown' ? [resolution(entry, journal, log)] : [];
  });
}

function nameOf({ action, target }: JournalEntry): string {
  const name = target?.['name'];
  return `${action}${typeof name === 'string' ? ` “${name}”` : ''}`;
}

function resolution(entry: JournalEntry, journal: readonly JournalEntry[], log: readonly LogRecord[]): string {
  const what = nameOf(entry);
  const again = journal.find(
    ({ stepIndex, turn, action, target }) =>
      stepIndex === entry.stepIndex &&
      turn > entry.turn &&
      action === entry.action &&
      target?.['name'] === entry.target?.['name'],
  );
  if (again !== undefined) return `${what}: resolved as not done and repeated, then ${again.status}`;
  const ended = log.find(
    ({ type, stepIndex }) =>
      stepIndex === entry.stepIndex &&
      (type === StreamEventType.STEP_COMPLETED || type === StreamEventType.STEP_FAILED),
  );
  return `${what}: ${ended?.type === StreamEventType.STEP_COMPLETED ? 'resolved as done' : 'the step failed'}`;
}
