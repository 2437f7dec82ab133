import type { ActivityCall } from '../activity';
import { EFFECT_CLASS } from '../../contracts/commands/commands';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { NewRecord } from '../../contracts/events/log';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { Checkpoint } from '../../store/browsers/checkpoints';
import type { JournalEntry } from '../../store/journal/journal';
import type { AcquireInput, Lease } from '../browser-activities';
import { EngineError, toStandardError } from '../failures';
import { cappedArguments } from '../tools/arguments';
import type { Attachment } from './attachment';
import { EMPTY_CHECKPOINT } from './checkpoints/take-checkpoint';
import { commandRecords } from '../commands/outcomes/command-records';
import { fingerprintOf } from './checkpoints/fingerprint';
import type { KeeperClient } from './keeper-client';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { asConnectionLoss } from './playwright-errors';
import { snapshotOptionsFor } from '../pages/snapshots/snapshot-options';
import { restoreCheckpoint } from './checkpoints/restore-checkpoint';
import type { RunCommandsDeps } from '../commands/run-commands';
import { loadSessionValues, type SessionValues } from '../secrets/session-values';
import { describeEvidenceSince } from '../commands/outcomes/evidence-text';

const ATTACH_LIMIT_MS = 10_000;

/**
 * Gives the session a Chrome. One that has never been this session's gets what the last one knew, and the model a look
 * at what came of it. The browser's id is written last, so that whoever repeats a half-done restore begins it anew.
 */
export async function acquireBrowser(deps: RunCommandsDeps, input: AcquireInput, call: ActivityCall): Promise<Lease> {
  const { attachments } = deps;
  const { sessionId, headless, network, requestId } = input;
  const lease = await attachments.acquire(sessionId, call, {
    headless,
    network,
    requestId,
    timeoutMs: ATTACH_LIMIT_MS,
    signal: call.signal,
  });
  const attachment = attachments.held(sessionId, lease);
  if (attachment === undefined)
    throw new EngineError('EX001', 'The browser went away while it was being attached.', { type: BROWSER_GONE });
  try {
    return await restoreState(deps, input, call, lease, attachment);
  } catch (error) {
    throw await asConnectionLoss(error, attachment);
  }
}

async function restoreState(
  { store, attachments, env }: RunCommandsDeps,
  { sessionId, lost, returning }: AcquireInput,
  { runId, signal }: ActivityCall,
  lease: Lease,
  attachment: Attachment,
): Promise<Lease> {
  const guard = { runId, epoch: lease.epoch };
  const kept = await store.checkpoints.get(sessionId);
  const { browserId } = attachment;
  const hasAnother = kept !== null && kept.browserId !== browserId;
  const hasLost = lost !== undefined && lost.browserId !== browserId;
  let isPageChanged: boolean | undefined;
  if (hasAnother || hasLost || returning !== undefined) {
    const values = await loadSessionValues(store, sessionId, env);
    let told: string[] = [];
    if (kept !== null && (hasAnother || hasLost)) {
      told = await restoreCheckpoint(sessionId, attachment, kept.checkpoint, values);
      const warnings = told.map((text, index) => restoreWarning(sessionId, lease.epoch, index, values.redact(text)));
      if (warnings.length > 0) await store.log.append(sessionId, warnings, { guard });
      await store.leases.setTarget(sessionId, lease.epoch, await attachment.targetId());
    }
    const keeper = await attachments.keeper();
    const scene = { store, keeper, sessionId, guard, attachment, values };
    if (hasLost) await closeLostCommands({ ...scene, ...lost });
    await attachment.watch.settle(attachment.page, signal);
    const look = await takeSnapshot(attachment, values, await snapshotOptionsFor(store, sessionId));
    if (returning !== undefined) {
      const found = compareWithCheckpoint(kept?.checkpoint, told, look, attachment.page.url());
      isPageChanged = found !== 'same';
      const from = { stepIndex: returning.stepIndex, browserId: kept?.browserId };
      if (isPageChanged) await closeLostCommands({ ...scene, ...from }, found === 'less');
    }
    await store.memory.saveSnapshot(sessionId, look);
  }
  if (kept === null || hasAnother) {
    const checkpoint = kept?.checkpoint ?? EMPTY_CHECKPOINT;
    await store.checkpoints.save(sessionId, lease.epoch, { browserId, checkpoint });
  }
  return { ...lease, ...(isPageChanged === undefined ? {} : { isPageChanged }) };
}

/** What a session comes back to: a page that only says something new is whole, one that lacks something is less. */
function compareWithCheckpoint(
  checkpoint: Checkpoint | undefined,
  told: readonly string[],
  look: PageSnapshot,
  url: string,
): 'same' | 'changed' | 'less' {
  if (checkpoint?.fingerprint === undefined || told.length > 0) return 'less';
  if (checkpoint.fingerprint === fingerprintOf(look)) return 'same';
  return checkpoint.tabs.some((tab) => tab.isFront && tab.url === url) ? 'changed' : 'less';
}

function restoreWarning(sessionId: string, epoch: number, index: number, message: string): NewRecord {
  const id = `${sessionId}/restore/${epoch}/${index}`;
  return {
    eventId: id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: new Date().toISOString(),
    data: { warning: { id, code: 'EX001', message, timestamp: new Date(), sessionId } },
  };
}

interface LossContext extends Pick<RunCommandsDeps, 'store'> {
  keeper: KeeperClient;
  sessionId: string;
  stepIndex: number;
  /** Of the Chrome that was lost; what it did is still known to its keeper. */
  browserId: string | undefined;
  guard: { runId: string; epoch: number };
  attachment: Attachment;
  values: SessionValues;
}

/**
 * What the loss means for the commands of the step that was running. One that was under way has ended: what may be
 * repeated failed, a commit is unknown. Of what was done since the last commit the new page may have nothing, so the
 * model is told that it is lost (unless `isLess` is false); a commit that was done stays done.
 */
async function closeLostCommands(scene: LossContext, isLess = true): Promise<void> {
  const { store, sessionId, stepIndex, guard } = scene;
  const entries = await store.journal.ofStep(sessionId, stepIndex);
  for (const entry of entries) if (entry.status === 'intended') await closeInterrupted(scene, entry);
  if (!isLess) return;
  const lastCommit = entries.findLastIndex(({ effect, status }) => effect === 'commit' && status !== 'failed');
  const lost = entries
    .slice(lastCommit + 1)
    .filter(({ action, status }) => EFFECT_CLASS[action] === 'idempotent' && status === 'done');
  await store.journal.markLost(
    sessionId,
    guard,
    lost.map(({ commandId }) => commandId),
  );
}

async function closeInterrupted(
  { store, keeper, sessionId, stepIndex, browserId, guard, attachment, values }: LossContext,
  entry: JournalEntry,
): Promise<void> {
  const { commandId, action, parameters, turn, effect, pageUrl } = entry;
  const isCommit = effect === 'commit';
  const seen = isCommit ? await keeper.evidence(sessionId, entry.intendedAt, browserId) : undefined;
  const message = values.redact(
    seen === undefined
      ? `The browser was lost while ${action} was under way.`
      : `The browser was lost while ${action} was under way; nobody knows whether it happened, and it is not repeated. ${describeEvidenceSince(seen, entry.intendedAt)} Its last moments may be missing.`,
  );
  const details = isCommit ? { outcome: 'unknown' } : {};
  const context = { sessionId, stepIndex, commandId, moduleId: 'task-loop' };
  const error = toStandardError(new EngineError('EX001', message, { details }), 'EX001', context);
  const evidence = { lostWith: 'browser', urlBefore: pageUrl, urlAfter: attachment.page.url(), ...seen };
  const asked = await store.toolCalls.ofCommand(sessionId, commandId);
  const call = asked && {
    callId: asked.callId,
    toolName: asked.name,
    args: cappedArguments(values.redactAll(asked.args)),
  };
  const records = commandRecords(
    { sessionId, stepIndex, turn },
    { commandId, action, parameters, ...(call === null ? {} : { call }) },
  );
  await store.journal.finish(
    sessionId,
    guard,
    {
      commandId,
      status: isCommit ? 'unknown' : 'failed',
      response: { success: false, commandId, screenshotId: '', duration: 0, error },
      error,
      evidence: values.redactAll(evidence),
    },
    [records.failed(0, error)],
  );
}
