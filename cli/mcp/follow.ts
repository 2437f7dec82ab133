import { setTimeout as sleep } from 'node:timers/promises';
import type { LogRecord } from '../../contracts/events/log';
import { StreamEventSchema, type StreamEventType } from '../../contracts/events/stream-event';
import { advanceContext, initialContext } from '../render/context';
import { printableLine } from '../../contracts/printable';
import { lineText, toLines } from '../render/event-lines';
import { isApiOutage } from './failures';
import type { McpContext } from './mcp-tool';
import { questionsOf, standstillOf, type Details } from './session-view';

export interface Followed {
  details: Details;
  /** What happened meanwhile, a line for each event. */
  lines: string[];
  /** From here the next call goes on. */
  after: number;
}

export interface WaitForEnd {
  /** Seq of the last event that the caller has. */
  after: number;
  waitMs: number;
  /** How many steps the session has by now, where the caller has added some. */
  steps?: number;
  /** Stop when the step at this index has its result. */
  untilStep?: number | undefined;
}

/** With these events a session begins or ends to wait, a step ends, or a question is asked: each is in the log with what it changes. */
const CHANGES_SESSION: ReadonlySet<string> = new Set<StreamEventType>([
  'WORKFLOW_STARTED',
  'WORKFLOW_PAUSED',
  'WORKFLOW_RESUMED',
  'WORKFLOW_COMPLETED',
  'WORKFLOW_FAILED',
  'STEP_STARTED',
  'STEP_COMPLETED',
  'STEP_FAILED',
  'SESSION_STATUS',
]);

const PAGE_SIZE = 500;
const LONGEST_HOLD_S = 5;
const RETRY_MS = 500;

/**
 * Follows a session until it has ended, waits for somebody, or the time is over. Each event is a line of progress. A
 * person who can be asked is asked about approvals on the way, and then the session is followed further.
 */
export async function waitForSession(
  call: McpContext,
  sessionId: string,
  { after, waitMs, steps = 0, untilStep }: WaitForEnd,
): Promise<Followed> {
  const { api, signal } = call;
  // A session that was just given a step may look idle until it begins it.
  const isStillIn = (now: Details): boolean => standstillOf(now) !== undefined && !isBefore(now, steps);
  const until = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  const endsAt = Date.now() + waitMs;
  const lines: string[] = [];
  let details = await api.showSession(sessionId);
  let context = initialContext({ totalSteps: details.progress.totalSteps });
  let cursor = after;
  let isStale = false;
  while (!until.aborted && resultAt(details, untilStep) === undefined) {
    const isStill = isStillIn(details);
    // What it waits for does not come by waiting: only what is in the log already is read.
    const holdS = isStill ? 0 : Math.max(0, Math.min(LONGEST_HOLD_S, (endsAt - Date.now()) / 1000));
    const page = await duringOutages(until, () =>
      api.sessionEvents(sessionId, { after: cursor, limit: PAGE_SIZE, wait: holdS }),
    );
    if (page === undefined) break;
    for (const item of page.data ?? []) {
      const record = toRecord(item);
      context = advanceContext(context, record);
      for (const line of toLines(context, record)) {
        lines.push(printableLine(lineText(line)));
        call.progress(lineText(line));
      }
    }
    cursor = page.nextAfter;
    isStale ||= (page.data ?? []).some(({ seq, type }) => seq > details.lastSeq && CHANGES_SESSION.has(type));
    if (page.hasMore) continue;
    if (isStale) {
      details = (await duringOutages(until, () => api.showSession(sessionId))) ?? details;
      isStale = false;
    } else if (isStill) {
      if (!(await askAbout(call, details))) break;
      details = await settled(call, details, until);
    }
  }
  return { details: until.aborted ? await api.showSession(sessionId) : details, lines, after: cursor };
}

export function resultAt(
  { stepResults }: Details,
  index: number | undefined,
): Details['stepResults'][number] | undefined {
  return stepResults.find(({ stepIndex }) => stepIndex === index);
}

function isBefore(details: Details, steps: number): boolean {
  return standstillOf(details) === 'message' && details.stepResults.length < steps;
}

/** Whether something that the session waited for is answered now. */
async function askAbout({ person }: McpContext, details: Details): Promise<boolean> {
  if (person === undefined) return false;
  const standstill = standstillOf(details);
  if (standstill === 'unknown-outcome') return await person.resolve(details);
  if (standstill !== 'approval') return false;
  for (const question of questionsOf(details)) if (!(await person.decide(question))) return false;
  return true;
}

/** The session without the questions that were answered. */
async function settled(call: McpContext, before: Details, until: AbortSignal): Promise<Details> {
  const asked = new Set(questionsOf(before).map(({ approvalId }) => approvalId));
  const isOld = (now: Details): boolean =>
    questionsOf(now).some(({ approvalId }) => asked.has(approvalId)) ||
    (before.waitingFor !== null && JSON.stringify(now.waitingFor) === JSON.stringify(before.waitingFor));
  return await withoutQuestion(call, before.session.sessionId, isOld, until);
}

/** The session once it does not show a question any more: the answer takes a moment to arrive there. */
export async function withoutQuestion(
  { api }: McpContext,
  sessionId: string,
  isAsked: (now: Details) => boolean,
  until: AbortSignal,
): Promise<Details> {
  for (;;) {
    const now = await api.showSession(sessionId);
    if (!isAsked(now) || until.aborted) return now;
    await sleep(RETRY_MS, undefined, { signal: until }).catch(() => undefined);
  }
}

/** Repeats a reading while the API is away; undefined when the time is over. */
async function duringOutages<T>(until: AbortSignal, read: () => Promise<T>): Promise<T | undefined> {
  while (!until.aborted) {
    try {
      return await read();
    } catch (error) {
      if (!isApiOutage(error)) throw error;
    }
    await sleep(RETRY_MS, undefined, { signal: until }).catch(() => undefined);
  }
  return undefined;
}

function toRecord(item: { seq: number }): LogRecord {
  const { id, type, timestamp, sessionId, stepIndex, data } = StreamEventSchema.parse(item);
  const place = { sessionId, seq: item.seq, stepIndex };
  return { ...place, eventId: id, owner: 'executor-streamer', type, at: timestamp.toISOString(), data };
}
