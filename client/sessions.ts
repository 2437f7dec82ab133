import type { Client } from '@temporalio/client';
import type { Store } from '../store/store';
import { createApprovalControl } from './approvals';
import { listScreenshots, readCommand, readScreenshot, readThumbnail } from './artifacts';
import { createControl } from './control';
import { followEvents, readEvents } from './follow';
import type { Sessions } from './port';
import { readDetails, readVariables, toSessionState, toWorkflowSession } from './read-model';
import { rowOf } from './session-row';
import { startSession } from './start';
import { fromStore } from './store-errors';

/** Reads come from the store alone, so they answer while Temporal is down; starts and control go to Temporal. */
export function createSessions(parts: {
  store: Store;
  temporal: Client;
  maxSessions?: number | undefined;
  join?: (sessionId: string) => Promise<void>;
}): Sessions {
  const { store } = parts;
  return {
    ...createControl(parts),
    ...createApprovalControl(parts),
    start: (request, options = {}) => startSession(parts, request, options.idempotencyKey),
    get: (id, { dom = false } = {}) => fromStore(async () => readDetails(store, await rowOf(store, id), dom)),
    state: (id) => fromStore(async () => toSessionState(await rowOf(store, id))),
    list: (options) =>
      fromStore(async () => {
        const { rows, total } = await store.sessions.list(options);
        return { sessions: rows.map(toWorkflowSession), total };
      }),
    events: (id, after, limit, filter) => readEvents(store, id, after, limit, filter),
    follow: (id, after, signal) => followEvents(store, id, after, signal),
    command: (id, commandId) => fromStore(() => readCommand(store, id, commandId)),
    screenshots: (id) => fromStore(() => listScreenshots(store, id)),
    screenshot: (id, screenshotId) => fromStore(() => readScreenshot(store, id, screenshotId)),
    thumbnail: (id, screenshotId) => fromStore(() => readThumbnail(store, id, screenshotId)),
    variables: (id) => fromStore(async () => readVariables(store, await rowOf(store, id))),
  };
}
