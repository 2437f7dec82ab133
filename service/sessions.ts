import { buildReport } from './report/build-report';
import type { Client } from '@temporalio/client';
import type { Connections } from '../contracts/sessions/model-connections';
import { parseStart } from '../contracts/sessions/start-request';
import type { Store } from '../store/store';
import { createApprovalControl } from './messages/approvals';
import { listScreenshots, readCommand, readScreenshot, readThumbnail } from './sessions/artifacts';
import { listFiles, openFile } from './files/session-files';
import { createMessageControl } from './messages/send-message';
import { messageMethods } from './port/methods';
import { sendChecked } from './messages/send-checked';
import { eraseSession } from './sessions/erase-session';
import { followLog, readLog } from './events/read-log';
import { readLiveView } from './sessions/live-view';
import { createTakeoverControl } from './sessions/takeover';
import { readLoopResult } from './sessions/read-loop-result';
import type { Sessions } from './port/port';
import { readDetails, readResult, readVariables, toListedSession, toSessionState } from './sessions/read-model';
import { requireSessionRow } from './rows/session-row';
import { forkSession } from './sessions/fork';
import { checkRequest } from './steps/check';
import { startSession } from './sessions/start';
import type { Floors } from '../runtime/settings/floors/floor-issues';
import { fromStore } from './connection/store-errors';

const MOST_CALLS = 1000;

/** Creates the operations on sessions. Reads need the store alone, so they work while Temporal is down. */
export function createSessions(parts: {
  store: Store;
  temporal: Client;
  maxSessions?: number | undefined;
  /** What requests can't lower. */
  floors?: Floors | undefined;
  connections?: Connections | undefined;
  join?: ((sessionId: string) => Promise<void>) | undefined;
}): Sessions {
  const { store } = parts;
  const control = createMessageControl(parts);
  const { sendMessage, messages, message } = control;
  const send = sendChecked(parts, control);
  return {
    ...messageMethods(send),
    ...createApprovalControl({ ...parts, sendMessage }),
    send,
    messages,
    message,
    start: (request, { idempotencyKey, join = parts.join } = {}) =>
      startSession({ ...parts, join }, parseStart(request), idempotencyKey),
    startParsed: (parsed, options = {}) => startSession(parts, parsed, options.idempotencyKey),
    check: async (parsed, { sessionId } = {}) => {
      const row = sessionId === undefined ? undefined : await requireSessionRow(store, sessionId, parts.temporal);
      return await checkRequest(store, parsed, row?.sessionId);
    },
    fork: (id, request, options = {}) => forkSession(parts, id, request, options),
    get: (id, { dom = false } = {}) =>
      fromStore(async () => readDetails(store, await requireSessionRow(store, id, parts.temporal), dom)),
    state: (id) => fromStore(async () => toSessionState(await requireSessionRow(store, id, parts.temporal))),
    list: (options) =>
      fromStore(async () => {
        const { rows, total } = await store.sessions.list(options);
        return { sessions: rows.map(toListedSession), total };
      }),
    erase: (id) => eraseSession(parts, id),
    events: (id, after, limit, filter) => readLog(store, id, after, limit, filter),
    follow: (id, after, signal) => followLog(store, id, after, signal),
    command: (id, commandId) => fromStore(() => readCommand(store, id, commandId)),
    liveView: (id, after, signal) => fromStore(() => readLiveView(store, id, after, signal)),
    ...createTakeoverControl({ ...parts, send }),
    screenshots: (id) => fromStore(() => listScreenshots(store, id)),
    screenshot: (id, screenshotId) => fromStore(() => readScreenshot(store, id, screenshotId)),
    thumbnail: (id, screenshotId) => fromStore(() => readThumbnail(store, id, screenshotId)),
    files: (id) => fromStore(() => listFiles(store, id)),
    openFile: (id, fileId) => fromStore(() => openFile(store, id, fileId)),
    report: (id) => buildReport(store, id),
    result: (id, stepIndex) => fromStore(async () => readResult(store, await requireSessionRow(store, id), stepIndex)),
    variables: (id) => fromStore(async () => readVariables(store, await requireSessionRow(store, id))),
    loopResult: (id) => readLoopResult(store, id),
    modelCalls: (id) =>
      fromStore(async () => store.modelCalls.ofSession((await requireSessionRow(store, id)).sessionId, MOST_CALLS)),
  };
}
