import { CommandStatus, type BrowserParameters } from '../../contracts/commands/commands';
import { MAX_FILM_BYTES } from '../../contracts/files/film';
import type { StandardError } from '../../contracts/errors/standard-error';
import { StreamEventType, type StreamEventData } from '../../contracts/events/stream-event';
import type { RefusalDetails } from '../../contracts/sessions/secrets';
import type { ModuleId } from '../../contracts/modules/module-id';
import type { NewRecord } from '../../contracts/events/log';
import { turnResultText } from '../../contracts/tasks/agent-loop';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { RecordFacts } from '../../contracts/events/record-facts';
import type { ArtifactRow } from '../../store/artifacts/artifacts';
import { differencesOf } from './differences';
import { toErrorText, summaryOf } from './result-text';

/** The place of a command in its session. */
export interface CommandPlace {
  sessionId: string;
  stepIndex: number;
  turn: number;
}

/** The record of a guard's refusal; `details.guard` names the guard. */
export function guardRecord(place: CommandPlace, id: string, details: RefusalDetails, message: string): NewRecord {
  const { guard } = details;
  const code = guard === 'approved-request' ? 'EX002' : 'SM002';
  return warningRecord(place, { id, code, message, details });
}

/** The state of the browser could not be saved whole: a Chrome that takes over would lack what is named. */
export function checkpointRecord(place: CommandPlace, id: string, unread: readonly string[]): NewRecord {
  const message = `The state of the browser was not saved whole; another Chrome would begin without ${unread.join(', ')}.`;
  return warningRecord(place, { id, code: 'EX001', message });
}

/** The worker that had the browser is gone, and another one of its host goes on. */
export function workerReplacedRecord(place: CommandPlace, epoch: number): NewRecord {
  const id = `${place.sessionId}/worker-replaced/${epoch}`;
  const message =
    'The worker of this session was gone. Another one has taken its browser over and goes on; nothing is done twice.';
  return warningRecord(place, { id, code: 'EX001', message, details: { kind: 'worker.replaced' } });
}

/** A page led on by itself while the browser had no connection, and shows Chrome's error in its place. */
export function lostPageRecord(place: CommandPlace, id: string, reason: string): NewRecord {
  const message = `The connection of the browser broke while its page led on by itself: ${reason} The page shows an error; open it again.`;
  return warningRecord(place, { id, code: 'TL002', message });
}

/** Requests that had no answer when their page was closed: the server may have them. */
export function cutOffRecord(sessionId: string, epoch: number, requests: readonly string[]): NewRecord {
  const id = `${sessionId}/cut-off/${epoch}`;
  const message = `The browser was closed while the page was still at work: ${requests.join(', ')} had no answer yet, and may have been cut off.`;
  return sessionWarning(sessionId, { id, code: 'TL002', message });
}

/** The film of a session is as large as it may be. */
export function recordingFullRecord(sessionId: string): NewRecord {
  const message = `The recording ended: it has ${MAX_FILM_BYTES / 1024 ** 2} MB of frames, the most that is kept of a session. The session goes on.`;
  return sessionWarning(sessionId, { id: `${sessionId}/recording/full`, code: 'EX005', message });
}

/** Of the session as a whole. */
function sessionWarning(sessionId: string, given: Pick<Warning, 'id' | 'code' | 'message'>): NewRecord {
  const warning = { ...given, timestamp: new Date(), sessionId };
  const at = warning.timestamp.toISOString();
  return { eventId: given.id, owner: 'executor-streamer', type: StreamEventType.WARNING_ISSUED, at, data: { warning } };
}

type Warning = NonNullable<StreamEventData['warning']>;

function warningRecord(
  { sessionId, stepIndex, turn }: CommandPlace,
  warning: Pick<Warning, 'id' | 'code' | 'message' | 'details'>,
): NewRecord {
  return {
    eventId: warning.id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: new Date().toISOString(),
    stepIndex,
    turn,
    data: { warning: { ...warning, timestamp: new Date(), sessionId, stepIndex } },
  };
}

/** What the caller of a tool gets, redacted and capped. */
interface ToolOutput {
  text: string;
  error?: string | undefined;
  hasScreenshot?: boolean;
}

/**
 * The records of one command. Their ids derive from the command's, so that a repeated attempt can't publish them
 * twice.
 */
export function commandRecords(place: CommandPlace, command: PlannedCommand) {
  const { commandId, action, parameters, call, isAskedAgain } = command;
  const { sessionId, stepIndex, turn } = place;
  const visibleParameters: BrowserParameters = parameters;
  const record = (
    kind: string,
    owner: ModuleId,
    type: StreamEventType,
    data: StreamEventData,
    facts?: RecordFacts,
  ): NewRecord => ({
    eventId: `${commandId}/${kind}`,
    owner,
    type,
    at: new Date().toISOString(),
    stepIndex,
    turn,
    data,
    ...(facts === undefined ? {} : { facts }),
  });
  const result = (durationMs: number, output: ToolOutput): RecordFacts | undefined => {
    if (call === undefined) return undefined;
    const { text, error, hasScreenshot = false } = output;
    const { callId, toolName } = call;
    return {
      kind: 'result',
      callId,
      toolName,
      summary: summaryOf(text),
      text: turnResultText(text, hasScreenshot),
      ...(error === undefined ? {} : { error }),
      durationMs,
      ...(hasScreenshot ? { hasScreenshot: true as const } : {}),
    };
  };
  const commandData = (status: CommandStatus, duration?: number) => ({
    commandId,
    action,
    parameters: visibleParameters,
    status,
    ...(duration === undefined ? {} : { duration }),
  });
  const artifactWarning = (kind: string, message: string) =>
    record(kind, 'executor-streamer', StreamEventType.WARNING_ISSUED, {
      warning: { id: `${commandId}/${kind}`, code: 'EX005', message, timestamp: new Date(), sessionId, stepIndex },
    });
  return {
    started: () =>
      record(
        'started',
        'task-loop',
        StreamEventType.COMMAND_STARTED,
        { command: commandData(CommandStatus.EXECUTING) },
        isAskedAgain === undefined && call !== undefined ? { kind: 'call', ...call } : undefined,
      ),
    completed: (duration: number, output: ToolOutput = { text: '' }, saved?: SavedValue) =>
      record(
        'completed',
        'task-loop',
        StreamEventType.COMMAND_COMPLETED,
        { command: commandData(CommandStatus.COMPLETED, duration), ...whatWasSaved(saved) },
        result(duration, output),
      ),
    failed: (duration: number, error: StandardError, isCancelled = false) =>
      record(
        'failed',
        'task-loop',
        StreamEventType.COMMAND_FAILED,
        { command: commandData(isCancelled ? CommandStatus.CANCELLED : CommandStatus.FAILED, duration), error },
        // A person is asked again before the call has an end.
        isAskedAgain === undefined && differencesOf(error) !== undefined
          ? undefined
          : result(duration, { text: toErrorText(error), error: error.message }),
      ),
    variable: (name: string, value: string) =>
      record('variable', 'executor', StreamEventType.VARIABLE_UPDATED, {
        variable: { name, value, timestamp: new Date(), sessionId, stepIndex, source: 'extracted' },
      }),
    navigated: (url: string, title: string, loadTime?: number) =>
      record('page', 'executor', StreamEventType.PAGE_NAVIGATED, {
        page: {
          url,
          title,
          timestamp: new Date(),
          sessionId,
          stepIndex,
          ...(loadTime === undefined ? {} : { loadTime }),
        },
      }),
    screenshot: (row: ArtifactRow) =>
      record('screenshot', 'executor', StreamEventType.SCREENSHOT_CAPTURED, {
        screenshot: {
          id: row.artifactId,
          sessionId,
          stepIndex,
          commandId,
          actionType: action,
          timestamp: row.at,
          filePath: row.path,
          dimensions: { width: row.facts.width ?? 0, height: row.facts.height ?? 0 },
          fileSize: row.bytes,
          ...metadataOf(row.facts),
        },
      }),
    screenshotFailed: (message: string) => artifactWarning('screenshot-failed', message),
    domFailed: (message: string) => artifactWarning('dom-failed', message),
  };
}

function metadataOf({ target, before }: ArtifactRow['facts']): { metadata?: object } {
  return target === undefined && before === undefined
    ? {}
    : { metadata: { ...(target && { target }), ...(before && { before }) } };
}

/** A variable that a command has set, and its value as the log may show it. */
interface SavedValue {
  name: string;
  value: string;
}

function whatWasSaved(saved: SavedValue | undefined): { message?: string } {
  return saved === undefined ? {} : { message: summaryOf(`${saved.name} = ${saved.value}`) };
}
