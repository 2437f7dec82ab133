import type { Locator } from 'playwright';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { NewRecord } from '../../../../contracts/events/log';
import type { PictureBox } from '../../../../contracts/files/picture-box';
import type { Attachment } from '../../attach/attachment';
import { saidBy } from '../../attach/playwright-errors';
import { ArtifactNotSaved } from '../../../../store/files/write-atomically';
import { saveDom } from '../../../recorded/captures';
import { captureScreenshot } from '../../pages/capture';
import { guardOf, type BatchContext } from '../batch-context';
import { commandRecords } from '../../../recorded/command-records';

/** The next command, beside which the screenshot is taken, may keep the page busy. */
const SCREENSHOT_LIMIT_MS = 10_000;

/** What a command has acted on: an element of the page in front, or where it was on the page that the command has left. */
export interface ActedOn {
  element?: Locator | undefined;
  left?: { url: string; box: Promise<PictureBox | undefined> } | undefined;
}

/** The newest picture of each browser, with the page that it shows. */
const newestAt = new WeakMap<Attachment, { id: string; url: string }>();

/** Captures the page after a command. A screenshot that fails is a warning: it never fails the command or the run. */
export async function captureScreenshotOrWarn(
  context: BatchContext,
  command: PlannedCommand,
  screenshotId: string,
  { element, left }: ActedOn,
): Promise<void> {
  const { store, attachment, values, sessionId, stepIndex } = context;
  const { commandId, action } = command;
  const records = commandRecords(context, command);
  const metadata = { sessionId, stepIndex, commandId, action };
  let record: NewRecord;
  try {
    const earlier = newestAt.get(attachment);
    const target = earlier?.url === left?.url ? await left?.box : undefined;
    const before = target && { id: earlier!.id, target };
    const limits = { limitMs: SCREENSHOT_LIMIT_MS, element, before };
    record = records.screenshot(await captureScreenshot(store, attachment, values, metadata, screenshotId, limits));
    newestAt.set(attachment, { id: screenshotId, url: attachment.page.url() });
  } catch (error) {
    record = records.screenshotFailed(`No screenshot of ${action}: ${saidBy(error)}`);
  }
  await store.log.append(sessionId, [record], { guard: guardOf(context) });
}

/** Saves the DOM after a command. One that can not be saved is a warning as well; an outage of the database is not. */
export async function saveDomOrWarn(
  context: BatchContext,
  command: PlannedCommand,
  domId: string,
  dom: string,
): Promise<void> {
  const { store, sessionId, stepIndex } = context;
  const { commandId, action } = command;
  try {
    await saveDom(store, { sessionId, stepIndex, commandId, action }, domId, dom);
  } catch (error) {
    if (!(error instanceof ArtifactNotSaved)) throw error;
    const record = commandRecords(context, command).domFailed(`No DOM of ${action}: ${error.message}.`);
    await store.log.append(sessionId, [record], { guard: guardOf(context) });
  }
}
