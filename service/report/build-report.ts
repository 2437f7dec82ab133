import { ApprovalSchema } from '../../contracts/approvals/approval';
import { toCommandText } from '../../contracts/commands/command-text';
import { requestsIn } from '../../contracts/commands/evidence';
import { isStreamType, type LogRecord } from '../../contracts/events/log';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { FrozenCommand, FrozenSession, FrozenUnknown } from '../../contracts/events/frozen-session';
import { shortened } from '../../contracts/text';
import type { JournalEntry } from '../../store/journal/journal';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { readLog } from '../events/read-log';
import { listFiles } from '../files/session-files';
import { ClientError, type SessionDetails } from '../port/port';
import { requireSessionRow } from '../rows/session-row';
import { listScreenshots, readScreenshot } from '../sessions/artifacts';
import { readDetails } from '../sessions/read-model';
import { pickAttachments, type ReportAttachments } from './attachments';
import { readFilm } from './report-film';
import { renderReport } from './report-page';

const MAX_BYTES = 5_000_000;
const PAGE = 1000;
/** More of a log would fill the report with text alone. */
const MOST_RECORDS = 10_000;
const MOST_CALLS = 500;
const LONGEST_RESULT = 6000;
/** Tried one after the other until the page is small enough. */
const SHARES = [1, 0.5, 0.2, 0];

/** Makes the report of a session: one HTML page with everything in it, below 5 MB. */
export async function buildReport(store: Store, name: string): Promise<string> {
  const row = await fromStore(() => requireSessionRow(store, name));
  const { sessionId } = row;
  const log = await readWholeLog(store, sessionId);
  // Scaling pictures takes longer than a reading may, so it is not part of one.
  const [details, screenshots, approvals, modelCalls, entries, files, result] = await fromStore(() =>
    Promise.all([
      readDetails(store, row, true),
      listScreenshots(store, sessionId),
      Promise.all(ApprovalSchema.shape.status.options.map((status) => store.approvals.list(status, sessionId))),
      store.modelCalls.ofSession(sessionId, MOST_CALLS),
      store.journal.ofSession(sessionId),
      listFiles(store, sessionId),
      store.results.get(sessionId),
    ]),
  );
  const asked = approvals.flat().toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
  const { stepResults } = details;
  const content: Omit<FrozenSession<SessionDetails>, 'commands' | 'recording' | 'pictures' | 'notes'> = {
    // The DOMs stand beside their commands.
    details: { ...details, stepResults: stepResults.map((result) => ({ ...result, commandResults: [] })) },
    events: log.records.flatMap(toStreamEvent),
    results: Object.fromEntries(log.records.flatMap(resultText)),
    sources: result?.sources,
    screenshots,
    files,
    approvals: asked,
    unknowns: entries.filter(({ status }) => status === 'unknown').map(toUnknown),
    modelCalls,
    models: modelsOf(log.records),
    madeAt: new Date().toISOString(),
  };
  const source = {
    stored: await fromStore(() => readFilm(store, sessionId, files)),
    scaled: new Map<string, string>(),
    screenshots,
    stepResults,
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
    page = await renderReport({
      ...content,
      commands: commandsOf(details, entries, attachments),
      recording: attachments.film,
      pictures: Object.fromEntries(attachments.pictures),
      notes: [...log.notes, ...leftOut(attachments)],
    });
    if (Buffer.byteLength(page) <= MAX_BYTES) break;
  }
  return page;
}

function toStreamEvent({ type, eventId, at, sessionId, stepIndex, data, seq }: LogRecord) {
  if (!isStreamType(type)) return [];
  const place = stepIndex === undefined ? {} : { stepIndex };
  return [{ id: eventId, type, timestamp: new Date(at), sessionId, ...place, data, seq }];
}

function resultText({ seq, facts }: LogRecord): [seq: number, text: string][] {
  return facts?.kind === 'result' ? [[seq, shortened(facts.text, LONGEST_RESULT)]] : [];
}

function toUnknown(entry: JournalEntry): FrozenUnknown {
  const { stepIndex, error, evidence, resolution } = entry;
  return {
    stepIndex,
    what: toCommandText(entry),
    ...(error === undefined ? {} : { message: error.message }),
    requests: requestsIn(evidence),
    ...(resolution === undefined ? {} : { resolution }),
  };
}

function commandsOf(
  { stepResults }: SessionDetails,
  entries: readonly JournalEntry[],
  { doms }: ReportAttachments,
): Record<string, FrozenCommand> {
  const results = new Map(
    stepResults.flatMap(({ commandResults }) => commandResults.map((result) => [result.commandId, result] as const)),
  );
  return Object.fromEntries(
    entries.map(({ commandId, evidence }) => {
      const dom = doms.get(commandId);
      const screenshotId = results.get(commandId)?.screenshotId;
      const left: FrozenCommand = {
        ...(evidence === undefined ? {} : { evidence }),
        ...(dom === undefined ? {} : { dom }),
        ...(screenshotId === undefined ? {} : { screenshotId }),
      };
      return [commandId, left];
    }),
  );
}

function leftOut({ framesLeftOut, pictures, picturesLeftOut, domsLeftOut }: ReportAttachments): string[] {
  return [
    ...(framesLeftOut > 0 ? [`Frames of the recording left out for its size: ${framesLeftOut}.`] : []),
    ...(picturesLeftOut > 0
      ? [`Screenshots left out for its size: ${picturesLeftOut} of ${picturesLeftOut + pictures.size}.`]
      : []),
    ...(domsLeftOut > 0 ? [`DOMs left out for its size: ${domsLeftOut}.`] : []),
  ];
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
