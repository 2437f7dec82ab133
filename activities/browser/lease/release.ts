import { BROWSER_GONE } from '../../../contracts/errors/standard-error';
import type { ActivityCall } from '../../activity/activity';
import type { ReleaseBrowserInput } from '../../signatures/browser-activities';
import { closeIntent } from '../commands/outcomes/close-intent';
import { resolveIntent, type IntentContext } from '../commands/outcomes/resolve-intent';
import { EngineError } from '../../activity/failures';
import { snapshotOptionsFor } from '../pages/snapshots/snapshot-options';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { loadSessionValues } from '../../secrets/session-values';
import type { BrowserDeps } from '../attach/browser-deps';
import { fingerprintOf } from '../../recorded/fingerprint';
import { takeCheckpoint } from '../checkpoints/take-checkpoint';

const ATTACH_LIMIT_MS = 5000;

/**
 * Ends the Chrome of a session that pauses for long. First it resolves the commits whose outcome only this
 * Chrome's page shows, then it writes the checkpoint with a fingerprint of the page. Repeating it is harmless at every point.
 */
export async function releaseBrowser(
  deps: BrowserDeps,
  { sessionId, stepIndex }: ReleaseBrowserInput,
  call: ActivityCall,
): Promise<void> {
  const { store, attachments } = deps;
  const { runId, signal } = call;
  // An earlier attempt released it and could not report that.
  if ((await store.leases.get(sessionId)) === null) return;
  const takeover = await store.takeovers.get(sessionId);
  if (takeover !== null && !takeover.ended)
    throw new EngineError('EX001', 'A person has taken it over.', { isFinal: true });
  let epoch: number;
  try {
    const { attachment, lease } = await attachments.use(sessionId, call, { timeoutMs: ATTACH_LIMIT_MS, signal });
    ({ epoch } = lease);
    try {
      await saveState(deps, { sessionId, stepIndex, runId, signal, attachment, epoch });
    } finally {
      attachments.leave(attachment);
    }
  } catch (error) {
    if (error instanceof EngineError && error.more.type === BROWSER_GONE) await attachments.release(sessionId);
    throw error;
  }
  // An attempt that was frozen here, and wakes when the session has another browser, ends only its own.
  await attachments.release(sessionId, epoch);
}

async function saveState(
  { store, attachments, env }: BrowserDeps,
  held: Pick<IntentContext, 'sessionId' | 'stepIndex' | 'runId' | 'signal' | 'attachment' | 'epoch'>,
): Promise<void> {
  const { sessionId, stepIndex, signal, attachment, epoch } = held;
  const [values, entries] = await Promise.all([
    loadSessionValues(store, sessionId, env),
    store.journal.ofStep(sessionId, stepIndex),
    attachment.openTab(),
  ]);
  for (const entry of entries.filter(({ effect, status }) => effect === 'commit' && status === 'intended')) {
    const { commandId, action, parameters, turn } = entry;
    const context: IntentContext = { ...held, store, values, turn };
    const command = { commandId, action, parameters };
    const resolution = await resolveIntent(context, await attachments.keeper(), command, entry);
    if (resolution !== 'did-not-happen') continue;
    // Its delivery marker ends with this Chrome; in the next one it could only be unknown.
    const message = `${action} was not sent: its worker was lost before, and the session paused.`;
    await closeIntent(context, command, 'failed', new EngineError('EX001', message));
  }
  await attachment.watch.settle(attachment.page, signal);
  const options = { ...(await snapshotOptionsFor(store, sessionId)), picture: undefined };
  const snapshot = await takeSnapshot(attachment, values, options);
  const { runId } = held;
  const unread = await takeCheckpoint({ store, attachment, values, sessionId, runId, epoch }, fingerprintOf(snapshot));
  if (unread.length > 0)
    throw new EngineError('EX001', `The state of the browser could not be saved: ${unread.join(', ')}.`);
}
