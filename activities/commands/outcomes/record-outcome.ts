import { EFFECT_CLASS, type CommandResponse } from '../../../contracts/commands/commands';
import type { StandardError } from '../../../contracts/errors/standard-error';
import type { Guard } from '../../../contracts/sessions/secrets';
import type { NewRecord } from '../../../contracts/events/log';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { faultPoint } from '../../../runtime/fault-point';
import type { Intent, JournalEntry, Outcome } from '../../../store/journal/journal';
import { ArtifactNotSaved } from '../../../store/artifacts/artifacts';
import type { CommandSummary } from '../../browser-activities';
import { truncateOutput } from '../../tools/result-text';
import { guardOf, type BatchContext } from '../batch-context';
import { toolResultText } from './tool-result-text';
import { captureDom, captureScreenshot, newScreenshotId, saveDom, type CapturedPage } from '../../pages/capture';
import { takeCheckpoint } from '../../browsers/checkpoints/take-checkpoint';
import { commandRecords, guardRecord } from './command-records';
import type { CommandResult } from '../handlers/command-handler';
import type { KeeperClient } from '../../browsers/keeper-client';
import type { PageEvidence } from '../../browsers/page-watch';
import { retryThroughOutage } from './retry-through-outage';

export type OneResult = CommandSummary & { screenshotId: string; domId: string };

/** An intent as it goes into the journal with the outcome before it. */
export type Intended = { intent: Intent; records: NewRecord[] };

/** What there is to tell of a command when it has acted. */
interface Acted {
  effect: CommandResult | void;
  error: StandardError | undefined;
  captured: Promise<CapturedPage>;
  evidence: PageEvidence;
  urlBefore: string;
  url: string;
  duration: number;
  /** The journal knows that the act came through. */
  noted: Promise<unknown>;
}

/** A commit that had come through when its worker died, in this very Chrome: what is left is to tell of it. */
export async function tellActed(
  scene: BatchContext,
  keeper: KeeperClient,
  command: PlannedCommand,
  { intendedAt, pageUrl }: JournalEntry,
): Promise<OneResult> {
  const { attachment, values, sessionId } = scene;
  // How long the act took died with its worker; this is how long it takes to find out what came of it.
  const startedAt = performance.now();
  attachment.watch.startCollecting();
  await attachment.watch.settle(attachment.page, scene.signal);
  const seen = await keeper.evidence(sessionId, intendedAt, attachment.browserId);
  const dialogs = seen.dialogs.map(({ type, message, accepted }) => ({ type, message, accepted: accepted === true }));
  const url = attachment.page.url();
  const navigations = values.redact(url) === pageUrl ? [] : [url];
  return tell(
    scene,
    command,
    {
      effect: undefined,
      error: undefined,
      captured: captureDom(attachment, values),
      evidence: { ...attachment.watch.collected(), requests: seen.requests, dialogs, navigations },
      urlBefore: navigations.length === 0 ? url : pageUrl,
      url,
      duration: Math.round(performance.now() - startedAt),
      noted: Promise.resolve(),
    },
    undefined,
  );
}

/** Sets the writing of the outcome and of the captures going, and sums it up. */
export function tell(
  scene: BatchContext,
  command: PlannedCommand,
  acted: Acted,
  next: (() => Intended) | undefined,
): OneResult {
  const { values, sessionId, stepIndex } = scene;
  const { commandId, action } = command;
  const { captured, error } = acted;
  const facts = { sessionId, stepIndex, commandId, action };
  const screenshotId = scene.screenshotsEnabled ? newScreenshotId(facts) : '';
  const domId = `${commandId}.dom`;
  scene.captured = captured;
  scene.outcome = finish(scene, command, acted, { screenshotId, domId }, next);
  scene.backgroundTasks.track(scene.outcome);
  scene.backgroundTasks.defer(
    async () => await saveDomOrWarn(scene, command, domId, values.redact((await captured).dom)),
  );
  if (screenshotId !== '') scene.backgroundTasks.track(captureScreenshotOrWarn(scene, command, screenshotId));
  return {
    commandId,
    status: error === undefined ? 'done' : 'failed',
    screenshotId,
    domId,
    ...(error === undefined ? {} : { code: error.code, message: error.message }),
  };
}

async function finish(
  scene: BatchContext,
  command: PlannedCommand,
  { effect, error, captured, evidence, urlBefore, url, duration, noted }: Acted,
  { screenshotId, domId }: { screenshotId: string; domId: string },
  next: (() => Intended) | undefined,
): Promise<string | undefined> {
  const { store, values, sessionId, stepIndex } = scene;
  const { commandId, action } = command;
  const records = commandRecords(scene, command);
  const variable =
    effect?.variable === undefined ? undefined : { ...effect.variable, value: values.redact(effect.variable.value) };
  const page = url === urlBefore ? undefined : { url, ...(await captured) };
  const told =
    error === undefined
      ? await toolResultOf(scene, command, { effect, captured, evidence, urlBefore, url })
      : undefined;
  const happened: NewRecord[] = [
    ...(variable === undefined ? [] : [records.variable(variable.name, variable.value)]),
    ...(page === undefined
      ? []
      : [records.navigated(values.redact(page.url), values.redact(page.title), page.loadTime)]),
    error === undefined
      ? records.completed(duration, told && { text: told.output, hasScreenshot: told.pictureId !== undefined })
      : records.failed(duration, error),
    ...guardRecords(scene, commandId, error),
  ];
  const response: Omit<CommandResponse, 'dom'> = {
    success: error === undefined,
    commandId,
    screenshotId,
    duration,
    ...(error === undefined ? {} : { error }),
    ...(told === undefined ? {} : { metadata: told }),
  };
  const hasLedOn = evidence.requests.length > 0 || evidence.navigations.length > 0;
  // First: a sign-in that the journal has as done must not be missing from the Chrome that comes after this one.
  if (EFFECT_CLASS[action] === 'commit' && hasLedOn) {
    await noted;
    await retryThroughOutage(() => takeCheckpoint(scene));
  }
  const outcome: Outcome = {
    commandId,
    status: error === undefined ? 'done' : 'failed',
    response,
    error,
    evidence: values.redactAll({ ...evidence, urlBefore, urlAfter: url }),
    domId,
  };
  const saved = variable === undefined ? undefined : { ...variable, source: 'extracted' as const, stepIndex };
  let intended: string | undefined;
  if (next === undefined || error !== undefined || scene.signal.aborted) {
    await retryThroughOutage(() => store.journal.finish(sessionId, guardOf(scene), outcome, happened, saved));
  } else {
    faultPoint('before-intent', sessionId);
    const ahead = next();
    const advance = () => store.journal.advance(sessionId, guardOf(scene), outcome, happened, saved, ahead);
    if (await retryThroughOutage(advance)) intended = ahead.intent.commandId;
  }
  faultPoint('after-outcome', sessionId);
  return intended;
}

/** Kept with the outcome: what the caller of a tool is told of it. Undefined where no tool was called. */
async function toolResultOf(
  { values }: BatchContext,
  command: PlannedCommand,
  { effect, captured, ...happened }: Pick<Acted, 'effect' | 'captured' | 'evidence' | 'urlBefore' | 'url'>,
): Promise<{ output: string; pictureId?: string } | undefined> {
  if (command.call === undefined) return undefined;
  const output = effect?.output ?? toolResultText(command, { ...happened, title: (await captured).title });
  return {
    output: truncateOutput(values.redact(output)),
    ...(effect?.pictureId === undefined ? {} : { pictureId: effect.pictureId }),
  };
}

/** That a guard refused it stands in the log by itself as well, beside what only the network has shown. */
function guardRecords(scene: BatchContext, commandId: string, error: StandardError | undefined): NewRecord[] {
  const guard = error?.details?.['guard'] as Guard | undefined;
  if (error === undefined || guard === undefined) return [];
  return [guardRecord(scene, `${commandId}/guard`, { ...error.details, guard }, error.message)];
}

/** It is taken beside the next command, which may keep the page busy. */
const SCREENSHOT_LIMIT_MS = 10_000;

/** A screenshot that fails is a warning: it never fails the command or the run. */
async function captureScreenshotOrWarn(
  scene: BatchContext,
  command: PlannedCommand,
  screenshotId: string,
): Promise<void> {
  const { store, attachment, values, sessionId, stepIndex } = scene;
  const records = commandRecords(scene, command);
  const facts = { sessionId, stepIndex, commandId: command.commandId, action: command.action };
  let record: NewRecord;
  try {
    record = records.screenshot(
      await captureScreenshot(store, attachment, values, facts, screenshotId, { limitMs: SCREENSHOT_LIMIT_MS }),
    );
  } catch (error) {
    record = records.screenshotFailed(`No screenshot of ${command.action}: ${(error as Error).message.split('\n')[0]}`);
  }
  await store.log.append(sessionId, [record], { guard: guardOf(scene) });
}

/** A DOM that can't be kept is a warning as well; that the database is away is not. */
async function saveDomOrWarn(scene: BatchContext, command: PlannedCommand, domId: string, dom: string): Promise<void> {
  const { store, sessionId, stepIndex } = scene;
  const { commandId, action } = command;
  try {
    await saveDom(store, { sessionId, stepIndex, commandId, action }, domId, dom);
  } catch (error) {
    if (!(error instanceof ArtifactNotSaved)) throw error;
    const record = commandRecords(scene, command).domFailed(`No DOM of ${action}: ${error.message}.`);
    await store.log.append(sessionId, [record], { guard: guardOf(scene) });
  }
}
