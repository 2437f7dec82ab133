import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { Checkpoint } from '../../../store/browsers/checkpoints';
import type { ActivityCall } from '../../activity/activity';
import type { AcquireInput, Lease } from '../../signatures/browser-activities';
import { closeLostCommands } from '../commands/outcomes/close-lost-commands';
import { recallForgotten } from '../commands/outcomes/recall-forgotten';
import { EngineError } from '../../activity/failures';
import { snapshotOptionsFor } from '../pages/snapshots/snapshot-options';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { loadSessionValues, type SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';
import type { BrowserDeps } from '../attach/browser-deps';
import { fingerprintOf } from '../../recorded/fingerprint';
import { restoreCheckpoint } from '../checkpoints/restore-checkpoint';
import { EMPTY_CHECKPOINT } from '../checkpoints/take-checkpoint';
import type { KeeperClient } from '../attach/keeper-client';
import { asConnectionLoss } from '../attach/playwright-errors';

const ATTACH_LIMIT_MS = 10_000;

/**
 * Gives the session a Chrome. One that was never this session's gets the last checkpoint, and the model a snapshot of the
 * restored page. The checkpoint's browser id is written last, so that a repeated attempt begins a half-done restore anew.
 */
export async function acquireBrowser(deps: BrowserDeps, input: AcquireInput, call: ActivityCall): Promise<Lease> {
  const { attachments, store, env } = deps;
  const {
    sessionId,
    headless,
    browserType,
    sharedBy,
    network,
    requestId,
    knownEpoch,
    connectionTimeoutMs = ATTACH_LIMIT_MS,
  } = input;
  const values = await loadSessionValues(store, sessionId, env);
  // Before a browser is taken, which a session that fails so would not return.
  values.assertSeeds();
  const lease = await attachments.acquire(
    sessionId,
    { ...call, knownEpoch },
    {
      headless,
      browserType,
      sharedBy,
      network,
      requestId,
      timeoutMs: connectionTimeoutMs,
      signal: call.signal,
    },
  );
  const attachment = attachments.held(sessionId, lease);
  if (attachment === undefined)
    throw new EngineError('EX001', 'The browser went away while it was being attached.', { type: BROWSER_GONE });
  try {
    return await restoreState(deps, input, call, lease, attachment, values);
  } catch (error) {
    throw await asConnectionLoss(error, attachment);
  }
}

async function restoreState(
  deps: BrowserDeps,
  { sessionId, lost, returning }: AcquireInput,
  { runId, signal }: ActivityCall,
  lease: Lease,
  attachment: Attachment,
  values: SessionValues,
): Promise<Lease> {
  const { store, attachments } = deps;
  const { epoch } = lease;
  const { browserId } = attachment;
  await recallForgotten(
    { store, attachment, keeper: attachments.keeper, loading: Promise.resolve(values), sessionId, runId, epoch },
    [],
  );
  const stored = await store.checkpoints.get(sessionId);
  const isOtherBrowser = stored !== null && stored.browserId !== browserId;
  const hasLostBrowser = lost !== undefined && lost.browserId !== browserId;
  let isPageChanged: boolean | undefined;
  if (isOtherBrowser || hasLostBrowser || returning !== undefined) {
    const context = { store, sessionId, runId, epoch, attachment, values, keeper: await attachments.keeper() };
    const warnings =
      stored !== null && (isOtherBrowser || hasLostBrowser) ? await restoreTabs(context, stored.checkpoint) : [];
    if (hasLostBrowser) await closeLostCommands(context, lost);
    await attachment.watch.settle(attachment.page, signal);
    const snapshot = await takeSnapshot(attachment, values, await snapshotOptionsFor(store, sessionId));
    if (returning !== undefined) {
      const change =
        warnings.length > 0 ? 'incomplete' : pageChange(stored?.checkpoint, snapshot, attachment.page.url());
      isPageChanged = change !== 'none';
      const released = { stepIndex: returning.stepIndex, browserId: stored?.browserId };
      if (isPageChanged) await closeLostCommands(context, released, change === 'changed');
    }
    await store.memory.saveSnapshot(sessionId, { runId, epoch }, snapshot);
  }
  if (stored === null || isOtherBrowser) {
    const checkpoint = stored?.checkpoint ?? EMPTY_CHECKPOINT;
    await store.checkpoints.save(sessionId, { runId, epoch }, { browserId, checkpoint });
  }
  return { ...lease, ...(isPageChanged === undefined ? {} : { isPageChanged }) };
}

interface RestoreContext extends Pick<BrowserDeps, 'store'> {
  sessionId: string;
  runId: string;
  epoch: number;
  attachment: Attachment;
  values: SessionValues;
  keeper: KeeperClient;
}

/** Restores the checkpoint; what could not be restored is logged as warnings, and returned. */
async function restoreTabs(
  { store, sessionId, runId, epoch, attachment, values, keeper }: RestoreContext,
  checkpoint: Checkpoint,
): Promise<string[]> {
  const warnings = await restoreCheckpoint(sessionId, attachment, checkpoint, values, keeper);
  const records = warnings.map((text, index) => warningRecord(sessionId, epoch, index, values.redact(text)));
  if (records.length > 0) await store.log.append(sessionId, records, { guard: { runId, epoch } });
  await store.leases.setTarget(sessionId, epoch, await attachment.targetId());
  return warnings;
}

function warningRecord(sessionId: string, epoch: number, index: number, message: string): NewRecord {
  const id = `${sessionId}/restore/${epoch}/${index}`;
  return {
    eventId: id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: new Date().toISOString(),
    data: { warning: { id, code: 'EX001', message, timestamp: new Date(), sessionId } },
  };
}

/** How the page differs from the one that was released: it may just say something new, or lack what was done in it. */
function pageChange(
  checkpoint: Checkpoint | undefined,
  snapshot: PageSnapshot,
  url: string,
): 'none' | 'changed' | 'incomplete' {
  if (checkpoint?.fingerprint === undefined) return 'incomplete';
  if (checkpoint.fingerprint === fingerprintOf(snapshot)) return 'none';
  return checkpoint.tabs.some((tab) => tab.isFront && tab.url === url) ? 'changed' : 'incomplete';
}
