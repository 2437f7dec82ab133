import { downloadSentences, type CommandEvidence, type PageEvidence } from '../../../../contracts/commands/evidence';
import type { PlannedCommand } from '../../../../contracts/commands/planned-command';
import type { StandardError } from '../../../../contracts/errors/standard-error';
import { notAllowed } from '../../../../contracts/browsers/origins';
import type { NewRecord } from '../../../../contracts/events/log';
import { RefusalDetailsSchema } from '../../../../contracts/sessions/secrets';
import { faultPoint } from '../../../../runtime/fault-point';
import type { Outcome } from '../../../../store/journal/journal';
import type { CommandSummary } from '../../../signatures/browser-activities';
import { takeCheckpoint } from '../../checkpoints/take-checkpoint';
import { newScreenshotId, type CapturedPage } from '../../pages/capture';
import { truncateOutput } from '../../../recorded/result-text';
import { guardOf, type BatchContext, type NextIntent } from '../batch-context';
import type { Execution } from '../execute';
import { blockedNavigationRecord } from '../network-guard';
import { isRepeatable, type IntentWrite } from '../write-intent';
import { captureScreenshotOrWarn, saveDomOrWarn, type ActedOn } from './captures';
import { checkpointRecord, commandRecords, guardRecord } from '../../../recorded/command-records';
import { differencesOf } from '../../../recorded/differences';
import { stepVerdictOf } from '../../../recorded/step-verdict';
import { retryThroughOutage } from '../../../recorded/retry-through-outage';
import { toolResultText } from './tool-result-text';

/** The outcome of one command as the batch reports it, with the captures of the page after it. */
export type CommandReport = CommandSummary & { page?: { screenshotId: string; domId?: string | undefined } };

/** A command that was executed, or failed, with what was observed. */
interface ExecutedCommand extends Execution, ActedOn {
  captured: Promise<CapturedPage>;
  evidence: PageEvidence & { urlBefore: string; urlAfter: string };
  durationMs: number;
}

/**
 * Starts to record an outcome and the captures of the page after it, and sums it up. The intent of the next command is
 * written in the same transaction where one is given.
 */
export function recordOutcome(
  context: BatchContext,
  command: PlannedCommand,
  executed: ExecutedCommand,
  next?: () => IntentWrite,
): { outcome: CommandReport; nextIntent: NextIntent } {
  const { values, sessionId, stepIndex, backgroundTasks } = context;
  const { commandId, action } = command;
  const { captured, error, blockedNavigation } = executed;
  const screenshotId = context.screenshotsEnabled ? newScreenshotId({ sessionId, stepIndex, action }) : '';
  const page = { screenshotId, domId: `${commandId}.dom` };
  const { variable } = executed.result ?? {};
  const differences = differencesOf(error);
  const endsStep = stepVerdictOf(error);
  // The next command is prepared while this is written.
  if (variable !== undefined) values.save(variable.name, values.redact(variable.value));
  const written = writeOutcome(context, command, executed, page, next);
  backgroundTasks.track(written);
  backgroundTasks.defer(
    async () => await saveDomOrWarn(context, command, page.domId, values.redact((await captured).dom)),
  );
  if (context.recorder !== undefined) backgroundTasks.track(context.recorder.takeFrame());
  if (screenshotId !== '') backgroundTasks.track(captureScreenshotOrWarn(context, command, screenshotId, executed));
  return {
    outcome: {
      commandId,
      status: error === undefined ? 'done' : 'failed',
      ...(error === undefined ? {} : { code: error.code, message: error.message }),
      ...(error?.details?.['listsChoices'] === true ? { listsChoices: true } : {}),
      ...(differences === undefined ? {} : { differences }),
      ...(endsStep === undefined ? {} : { endsStep }),
      ...(blockedNavigation === undefined ? {} : { isNavigationBlocked: true }),
      page,
    },
    nextIntent: { written, captured },
  };
}

/** Resolves to the id of the next command when its intent was written along. */
async function writeOutcome(
  context: BatchContext,
  command: PlannedCommand,
  executed: ExecutedCommand,
  { screenshotId, domId }: { screenshotId: string; domId: string },
  next: (() => IntentWrite) | undefined,
): Promise<string | undefined> {
  const { store, values, sessionId, stepIndex } = context;
  const { result, error, evidence, blockedNavigation, durationMs, noted, downloads = [] } = executed;
  const { commandId } = command;
  const variable = result?.variable && { ...result.variable, value: values.redact(result.variable.value) };
  const metadata = error === undefined ? await toolResult(command, executed, context) : undefined;
  const records = await recordsOf(context, command, executed, variable, metadata);
  const hasLedOn = evidence.requests.length > 0 || evidence.navigations.length > 0;
  // First: a sign-in that the journal has as done must not be missing from the Chrome that comes after this one.
  if (!isRepeatable(command) && hasLedOn) {
    await noted;
    const unread = await retryThroughOutage(() => takeCheckpoint(context));
    if (unread.length > 0) records.unshift(checkpointRecord(context, `${commandId}/checkpoint`, unread));
  }
  const outcome: Outcome = {
    commandId,
    status: error === undefined ? 'done' : 'failed',
    response: {
      success: error === undefined,
      commandId,
      screenshotId,
      duration: durationMs,
      ...(error === undefined ? {} : { error }),
      ...(metadata === undefined ? {} : { metadata }),
    },
    error,
    evidence: values.redactAll<CommandEvidence>({
      kind: 'observed',
      ...evidence,
      ...(downloads.length === 0 ? {} : { downloads }),
      ...(blockedNavigation === undefined ? {} : { blockedNavigation }),
    }),
    domId,
  };
  const saved = variable && { ...variable, source: 'extracted' as const, stepIndex };
  let intended: string | undefined;
  const isLast = error !== undefined || blockedNavigation !== undefined || context.signal.aborted;
  if (next === undefined || isLast) {
    await retryThroughOutage(() => store.journal.finish(sessionId, guardOf(context), outcome, records, saved));
  } else {
    faultPoint('before-intent', sessionId);
    const ahead = next();
    const advance = () => store.journal.advance(sessionId, guardOf(context), outcome, records, saved, ahead);
    if (await retryThroughOutage(advance)) intended = ahead.intent.commandId;
  }
  faultPoint('after-outcome', sessionId);
  return intended;
}

interface ToolResult {
  output: string;
  pictureId?: string;
}

/** What the caller of the tool gets, kept with the outcome; undefined where no tool was called. */
async function toolResult(
  command: PlannedCommand,
  { result, captured, evidence, blockedNavigation, downloads = [] }: ExecutedCommand,
  { values }: BatchContext,
): Promise<ToolResult | undefined> {
  if (command.call === undefined) return undefined;
  const done = result?.output ?? toolResultText(command, evidence, (await captured).title);
  const output = [done, ...downloadSentences(downloads)].join(' ');
  const blocked =
    blockedNavigation === undefined
      ? ''
      : ` It was done, and then it led to a page that was blocked: ${notAllowed(blockedNavigation)}`;
  return {
    output: truncateOutput(values.redact(output)) + values.redact(blocked),
    ...(result?.pictureId === undefined ? {} : { pictureId: result.pictureId }),
  };
}

async function recordsOf(
  context: BatchContext,
  command: PlannedCommand,
  { error, captured, evidence, blockedNavigation, durationMs }: ExecutedCommand,
  variable: { name: string; value: string } | undefined,
  metadata: ToolResult | undefined,
): Promise<NewRecord[]> {
  const { values } = context;
  const records = commandRecords(context, command);
  const happened: NewRecord[] = [];
  if (variable !== undefined) happened.push(records.variable(variable.name, variable.value));
  if (evidence.urlAfter !== evidence.urlBefore) {
    const { title, loadTime } = await captured;
    happened.push(records.navigated(values.redact(evidence.urlAfter), values.redact(title), loadTime));
  }
  if (error !== undefined)
    return [...happened, records.failed(durationMs, error), ...refusalRecords(context, command, error)];
  const output = metadata && { text: metadata.output, hasScreenshot: metadata.pictureId !== undefined };
  const blocked =
    blockedNavigation === undefined
      ? []
      : [blockedNavigationRecord(context, command, values.redact(blockedNavigation))];
  return [...happened, records.completed(durationMs, output, variable), ...blocked];
}

/** A guard's refusal has a record of its own, beside those of requests that the network refused. */
function refusalRecords(context: BatchContext, { commandId }: PlannedCommand, error: StandardError): NewRecord[] {
  const { data: details } = RefusalDetailsSchema.safeParse(error.details);
  return details === undefined ? [] : [guardRecord(context, `${commandId}/guard`, details, error.message)];
}
