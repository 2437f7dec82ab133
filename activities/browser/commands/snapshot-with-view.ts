import { viewKey, type PlannedCommand } from '../../../contracts/commands/planned-command';
import type { PageSnapshot, SnapshotView } from '../../../contracts/browsers/page-snapshot';
import { captureScreenshot, newScreenshotId } from '../pages/capture';
import { captureView } from '../approval-view/capture-view';
import { takeSnapshot, type SnapshotOptions } from '../pages/snapshots/take-snapshot';
import type { BatchContext } from './batch-context';

/** Takes a snapshot with what a person is shown of the page, where they are to be asked about a command. */
export async function takeSnapshotWithView(
  context: BatchContext,
  options: SnapshotOptions,
  command: PlannedCommand | undefined,
): Promise<PageSnapshot> {
  const { attachment, values } = context;
  // First: it learns the values of password fields, which are to be masked.
  const snapshot = await takeSnapshot(attachment, values, options);
  if (command === undefined) return snapshot;
  const captured = await captureView(context, command);
  if (captured === undefined) return snapshot;
  const of = viewKey(command);
  if (captured === 'missing') return { ...snapshot, view: { of } };
  const [picture, sockets] = await Promise.all([savePicture(context, command), context.deeds.openSockets()]);
  const connected = sockets.length === 0 ? {} : { sockets: sockets.map((each) => values.redact(each)) };
  const view: SnapshotView = { of, found: { ...captured, ...connected, ...picture } };
  return { ...snapshot, view };
}

/** A question without a picture is better than none. */
async function savePicture(
  { store, attachment, values, sessionId, stepIndex, screenshotsEnabled }: BatchContext,
  { commandId }: PlannedCommand,
): Promise<{ screenshotId?: string }> {
  if (!screenshotsEnabled) return {};
  const facts = { sessionId, stepIndex, commandId, action: 'APPROVAL' };
  try {
    const { artifactId } = await captureScreenshot(store, attachment, values, facts, newScreenshotId(facts));
    return { screenshotId: artifactId };
  } catch {
    return {};
  }
}
