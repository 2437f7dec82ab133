import type { ActivityCall } from '../activity';
import { EFFECT_CLASS } from '../../contracts/commands';
import { BROWSER_GONE } from '../../contracts/errors';
import { StreamEventType } from '../../contracts/events';
import type { NewRecord } from '../../contracts/log';
import type { JournalEntry } from '../../store/journal';
import type { AcquireInput, Lease } from '../browser-activities';
import { EngineError, toStandardError } from '../failures';
import type { Attachment } from './attachment';
import { EMPTY_CHECKPOINT } from './checkpoint';
import { commandRecords } from './command-records';
import { lookAt } from './look';
import { restore } from './restore';
import type { RunCommandsDeps } from './run-commands';
import { createValues, type Values } from './secrets';

const ATTACH_LIMIT_MS = 10_000;

/**
 * Gives the session a Chrome. One that has never been this session's gets what the last one knew, and the model a look
 * at what came of it. The browser's id is written last, so that whoever repeats a half-done restore begins it anew.
 */
export async function acquireBrowser(
  { store, attachments, env }: RunCommandsDeps,
  { sessionId, headless, lost }: AcquireInput,
  { runId, signal }: ActivityCall,
): Promise<Lease> {
  const lease = await attachments.acquire(sessionId, runId, headless, ATTACH_LIMIT_MS);
  const attachment = attachments.held(sessionId, lease);
  if (attachment === undefined)
    throw new EngineError('EX001', 'The browser went away while it was being attached.', { type: BROWSER_GONE });
  const guard = { runId, epoch: lease.epoch };
  const kept = await store.checkpoints.get(sessionId);
  const { browserId } = attachment;
  const hasAnother = kept !== null && kept.browserId !== browserId;
  const hasLost = lost !== undefined && lost.browserId !== browserId;
  if (hasAnother || hasLost) {
    const values = createValues(await store.variables.ofSession(sessionId), env);
    if (kept !== null) {
      const told = await restore(sessionId, attachment, kept.checkpoint);
      const warnings = told.map((text, index) => warning(sessionId, lease.epoch, index, values.redact(text)));
      if (warnings.length > 0) await store.log.append(sessionId, warnings, { guard });
      await store.leases.setTarget(sessionId, lease.epoch, await attachment.targetId());
    }
    if (hasLost) await closeLost({ store, sessionId, guard, attachment, values, stepIndex: lost.stepIndex });
    await attachment.watch.settle(attachment.page, signal);
    await store.memory.saveLook(sessionId, await lookAt(attachment, values));
  }
  if (kept === null || hasAnother) {
    const checkpoint = kept?.checkpoint ?? EMPTY_CHECKPOINT;
    await store.checkpoints.save(sessionId, lease.epoch, { browserId, checkpoint });
  }
  return lease;
}

function warning(sessionId: string, epoch: number, index: number, message: string): NewRecord {
  const id = `${sessionId}/restore/${epoch}/${index}`;
  return {
    eventId: id,
    owner: 'executor-streamer',
    type: StreamEventType.WARNING_ISSUED,
    at: new Date().toISOString(),
    data: { warning: { id, code: 'EX001', message, timestamp: new Date(), sessionId } },
  };
}

interface LossScene extends Pick<RunCommandsDeps, 'store'> {
  sessionId: string;
  stepIndex: number;
  guard: { runId: string; epoch: number };
  attachment: Attachment;
  values: Values;
}

/**
 * What the loss means for the commands of the step that was running. One that was under way has ended: what may be
 * repeated failed, a commit is unknown. Of what was done since the last commit the new page may have nothing, so the
 * model is told that it is lost; a commit that was done stays done.
 */
async function closeLost(scene: LossScene): Promise<void> {
  const { store, sessionId, stepIndex, guard } = scene;
  const entries = await store.journal.ofStep(sessionId, stepIndex);
  for (const entry of entries) if (entry.status === 'intended') await closeInterrupted(scene, entry);
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
  { store, sessionId, stepIndex, guard, attachment, values }: LossScene,
  entry: JournalEntry,
): Promise<void> {
  const { commandId, action, parameters, turn, effect, pageUrl } = entry;
  const isCommit = effect === 'commit';
  const message = isCommit
    ? `The browser was lost while ${action} was under way; nobody knows whether it happened, and it is not repeated.`
    : `The browser was lost while ${action} was under way.`;
  const details = isCommit ? { outcome: 'unknown' } : {};
  const context = { sessionId, stepIndex, commandId, moduleId: 'task-loop' };
  const error = toStandardError(new EngineError('EX001', message, { details }), 'EX001', context);
  const evidence = { lostWith: 'browser', urlBefore: pageUrl, urlAfter: attachment.page.url() };
  const records = commandRecords({ sessionId, stepIndex, turn }, { commandId, action, parameters });
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
