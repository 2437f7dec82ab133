import type { Locator } from 'playwright';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { NewRecord } from '../../../../contracts/events/log';
import { saidBy } from '../../attach/playwright-errors';
import { ArtifactNotSaved } from '../../../../store/artifacts/write-atomically';
import { saveDom } from '../../../recorded/captures';
import { captureScreenshot } from '../../pages/capture';
import { guardOf, type BatchContext } from '../batch-context';
import { commandRecords } from '../../../recorded/command-records';

/** The next command, beside which the screenshot is taken, may keep the page busy. */
const SCREENSHOT_LIMIT_MS = 10_000;

/** Captures the page after a command. A screenshot that fails is a warning: it never fails the command or the run. */
export async function captureScreenshotOrWarn(
  context: BatchContext,
  command: PlannedCommand,
  screenshotId: string,
  element: Locator | undefined,
): Promise<void> {
  const { store, attachment, values, sessionId, stepIndex } = context;
  const { commandId, action } = command;
  const records = commandRecords(context, command);
  const metadata = { sessionId, stepIndex, commandId, action };
  let record: NewRecord;
  try {
    const limits = { limitMs: SCREENSHOT_LIMIT_MS, element };
    record = records.screenshot(await captureScreenshot(store, attachment, values, metadata, screenshotId, limits));
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
