import { ApprovalSchema } from '../../contracts/approvals/approval';
import type { LogRecord } from '../../contracts/events/log';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { readLog } from '../events/read-log';
import { ClientError } from '../port/port';
import { listScreenshots, readScreenshot } from '../sessions/artifacts';
import { readDetails } from '../sessions/read-model';
import { requireSessionRow } from '../rows/session-row';
import { pickAttachments } from './attachments';
import { renderReport, type ReportContent } from './report-page';
import { toTimeline } from './timeline';

const MAX_BYTES = 5_000_000;
const PAGE = 1000;
/** More of a log would fill the report with text alone. */
const MOST_RECORDS = 10_000;
const MOST_CALLS = 500;
/** Tried one after the other until the page is small enough. */
const SHARES = [1, 0.5, 0.2, 0];

/** Makes the report of a session: one HTML page with everything in it, below 5 MB. */
export async function buildReport(store: Store, name: string): Promise<string> {
  const row = await fromStore(() => requireSessionRow(store, name));
  const { sessionId } = row;
  const log = await readWholeLog(store, sessionId);
  // Scaling pictures takes longer than a reading may, so it is not part of one.
  const [details, screenshots, approvals, modelCalls, entries] = await fromStore(() =>
    Promise.all([
      readDetails(store, row, true),
      listScreenshots(store, sessionId),
      Promise.all(ApprovalSchema.shape.status.options.map((status) => store.approvals.list(status, sessionId))),
      store.modelCalls.ofSession(sessionId, MOST_CALLS),
      store.journal.ofSession(sessionId),
    ]),
  );
  const asked = approvals.flat().toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
  const content: Omit<ReportContent, 'attachments' | 'notes'> = {
    details,
    timeline: toTimeline(log.records),
    screenshots,
    approvals: asked,
    modelCalls,
    models: modelsOf(log.records),
    journal: new Map(entries.map((entry) => [entry.commandId, entry])),
    madeAt: new Date(),
  };
  const source = {
    scaled: new Map<string, string>(),
    screenshots,
    stepResults: details.stepResults,
    asked: asked.flatMap(({ screenshotId }) => screenshotId ?? []),
    // One that retention has removed meanwhile is left out.
    readPicture: async (id: string) =>
      await readScreenshot(store, sessionId, id).then(
        (found) => found.content,
        () => undefined,
      ),
  };
  let page = '';
  for (const share of SHARES) {
    const attachments = await pickAttachments(source, share);
    const { picturesLeftOut, domsLeftOut } = attachments;
    const notes = [
      ...log.notes,
      ...(picturesLeftOut > 0
        ? [`Screenshots left out for its size: ${picturesLeftOut} of ${picturesLeftOut + attachments.pictures.size}.`]
        : []),
      ...(domsLeftOut > 0 ? [`DOMs left out for its size: ${domsLeftOut}.`] : []),
    ];
    page = await renderReport({ ...content, attachments, notes });
    if (Buffer.byteLength(page) <= MAX_BYTES) break;
  }
  return page;
}

function modelsOf(records: readonly LogRecord[]): string[] {
  const named = records.map(({ type, data }) =>
    type === StreamEventType.AI_RESPONSE_RECEIVED ? data.details?.['model'] : undefined,
  );
  return [...new Set(named.filter((name) => typeof name === 'string'))];
}

async function readWholeLog(store: Store, sessionId: string): Promise<{ records: LogRecord[]; notes: string[] }> {
  const records: LogRecord[] = [];
  try {
    for (;;) {
      const next = await readLog(store, sessionId, records.at(-1)?.seq ?? 0, PAGE);
      records.push(...next);
      if (next.length < PAGE) return { records, notes: [] };
      if (records.length >= MOST_RECORDS)
        return { records, notes: [`The timeline has the first ${records.length} events.`] };
    }
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind !== 'gone') throw error;
    return { records, notes: [error.message] };
  }
}
