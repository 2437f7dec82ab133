import type { JournalEntry } from '../../store/journal/journal';
import { BROWSER_GONE } from '../../contracts/errors/standard-error';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { ActivityCall } from '../activity';
import type { ReleaseBrowserInput } from '../browser-activities';
import { EngineError, toStandardError } from '../failures';
import { takeCheckpoint } from './checkpoints/take-checkpoint';
import { commandRecords } from '../commands/outcomes/command-records';
import { fingerprintOf } from './checkpoints/fingerprint';
import { takeSnapshot } from '../pages/snapshots/take-snapshot';
import { snapshotOptionsFor } from '../pages/snapshots/snapshot-options';
import type { RunCommandsDeps } from '../commands/run-commands';
import { loadSessionValues } from '../secrets/session-values';
import { resolveIntent, type IntentContext } from '../commands/outcomes/unknown-outcome';

const ATTACH_LIMIT_MS = 5000;

/**
 * Ends the Chrome of a session that pauses for long: what only its page can tell is found out first, then the checkpoint
 * is written with what the page looks like, then it goes. Repeating it is harmless at every point.
 */
export async function releaseBrowser(
  deps: RunCommandsDeps,
  { sessionId, stepIndex }: ReleaseBrowserInput,
  call: ActivityCall,
): Promise<void> {
  const { store, attachments } = deps;
  const { runId, signal } = call;
  // An earlier attempt was through, and could not say so any more.
  if ((await store.leases.get(sessionId)) === null) return;
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
  // One that was frozen here, and wakes when the session has another browser, ends no more than its own.
  await attachments.release(sessionId, epoch);
}

async function saveState(
  { store, attachments, env }: RunCommandsDeps,
  given: Pick<IntentContext, 'sessionId' | 'stepIndex' | 'runId' | 'signal' | 'attachment' | 'epoch'>,
): Promise<void> {
  const { sessionId, stepIndex, signal, attachment, epoch } = given;
  const [values, entries] = await Promise.all([
    loadSessionValues(store, sessionId, env),
    store.journal.ofStep(sessionId, stepIndex),
    attachment.openTab(),
  ]);
  for (const entry of entries.filter(({ effect, status }) => effect === 'commit' && status === 'intended')) {
    const scene: IntentContext = { ...given, store, values, turn: entry.turn };
    const verdict = await resolveIntent(scene, await attachments.keeper(), toPlannedCommand(entry), entry);
    if (verdict === 'did-not-happen') await closeUnsentCommit(scene, entry);
  }
  await attachment.watch.settle(attachment.page, signal);
  const look = await takeSnapshot(attachment, values, {
    ...(await snapshotOptionsFor(store, sessionId)),
    picture: undefined,
  });
  const isKept = await takeCheckpoint({ store, attachment, values, sessionId, epoch }, fingerprintOf(look));
  if (!isKept)
    throw new EngineError('EX001', 'The browser gives no answer, so what it knows could not be written down.');
}

/** The mark that says so ends with this Chrome; the next one could only call it unknown. */
async function closeUnsentCommit(scene: IntentContext, entry: JournalEntry): Promise<void> {
  const { store, sessionId, stepIndex, runId, epoch } = scene;
  const { commandId, action } = entry;
  const error = toStandardError(
    new EngineError('EX001', `${action} was not sent: its worker was lost before, and the session paused.`),
    'EX001',
    { sessionId, stepIndex, commandId, moduleId: 'task-loop' },
  );
  await store.journal.finish(
    sessionId,
    { runId, epoch },
    {
      commandId,
      status: 'failed',
      response: { success: false, commandId, screenshotId: '', duration: 0, error },
      error,
    },
    [commandRecords(scene, toPlannedCommand(entry)).failed(0, error)],
  );
}

function toPlannedCommand({ commandId, action, parameters }: JournalEntry): PlannedCommand {
  return { commandId, action, parameters };
}
