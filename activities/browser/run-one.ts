import { EFFECT_CLASS, type CommandResponse } from '../../contracts/commands';
import type { StandardError } from '../../contracts/errors';
import type { NewRecord } from '../../contracts/log';
import { faultPoint } from '../../runtime/fault-point';
import { ArtifactNotKept } from '../../store/artifacts';
import type { Store } from '../../store/store';
import type { PlannedCommand } from '../../contracts/planned-command';
import type { CommandSummary } from '../browser-activities';
import { toStandardError } from '../failures';
import { throughOutage } from './through-outage';
import type { Attachment } from './attachment';
import { captureDom, captureScreenshot, newScreenshotId, saveDom, type Captured } from './capture';
import { takeCheckpoint } from './checkpoint';
import { commandRecords, type CommandPlace } from './command-records';
import type { CommandEffect } from './commands/command';
import { COMMANDS } from './commands';
import type { Later } from './later';
import { isGone, toCommandError } from './playwright-errors';
import { prepare } from './prepare';
import type { Values } from './secrets';
import type { Evidence } from './page-watch';

/** What a batch lends to each of its commands. */
export interface BatchScene extends CommandPlace {
  store: Store;
  attachment: Attachment;
  values: Values;
  epoch: number;
  runId: string;
  requestTimeoutMs: number;
  screenshotsEnabled: boolean;
  /** Aborts at a pause, a cancellation or the worker's shutdown. */
  signal: AbortSignal;
  /** The outcome of the command before on its way to the disk: no intent is written before it is there. */
  outcome: Promise<void>;
  /** The page after the command before: nothing acts until it is taken. */
  captured: Promise<unknown>;
  /** Writes that need not hold up the next command; awaited before the batch returns. */
  later: Later;
}

export type OneResult = CommandSummary & { screenshotId: string; domId: string };

/** What there is to tell of a command when it has acted. */
interface Acted {
  effect: CommandEffect | void;
  error: StandardError | undefined;
  captured: Promise<Captured>;
  evidence: Evidence;
  urlBefore: string;
  url: string;
  duration: number;
}

/**
 * Runs one command: intent into the journal, act, outcome into the journal with what was seen. While the outcome is
 * written the next command already looks for its element. Contract: rejects only when nothing can be said about the
 * command (the browser is gone, the store refuses, the database is away).
 */
export async function runOne(scene: BatchScene, command: PlannedCommand, position: number): Promise<OneResult> {
  const { store, attachment, values, sessionId, stepIndex, turn } = scene;
  const { commandId, action } = command;
  const effect = EFFECT_CLASS[action];
  // What may be repeated is stopped at once by a pause; what commits is never stopped in the middle.
  const signal = effect === 'commit' ? new AbortController().signal : scene.signal;
  const startedAt = performance.now();
  const frontBefore = attachment.page;
  const urlBefore = frontBefore.url();
  attachment.watch.begin();

  const intend = async (): Promise<void> => {
    await scene.outcome;
    faultPoint('before-intent');
    await store.journal.intend(
      sessionId,
      guardOf(scene),
      {
        commandId,
        stepIndex,
        turn,
        position,
        action,
        parameters: command.parameters,
        effect,
        target: command.target && { ...command.target },
        pageUrl: values.redact(urlBefore),
      },
      [commandRecords(scene, command).started()],
    );
  };
  // Looking for the element changes nothing, so it need not wait for the intent to be on disk; acting does.
  const [prepared, intended] = await Promise.allSettled([prepare(scene, command, signal), intend(), scene.captured]);
  if (intended.status === 'rejected') throw intended.reason;
  faultPoint('after-intent');

  let done: CommandEffect | void = undefined;
  let error: StandardError | undefined;
  let captured: Promise<Captured> | undefined;
  try {
    if (prepared.status === 'rejected') throw prepared.reason;
    const { element, parameters } = prepared.value;
    const acting = COMMANDS[action]({
      attachment,
      page: attachment.page,
      element,
      parameters,
      timeoutMs: scene.requestTimeoutMs,
      signal,
    });
    // The page is at work now and we are not.
    scene.later.start();
    done = await acting;
    faultPoint('after-act');
    if (effect === 'commit') {
      captured = captureDom(attachment, values);
      // Most commits set nothing off that has to be waited for; then this is the page already.
      if (await attachment.watch.settle(attachment.page, scene.signal)) captured = undefined;
    }
  } catch (thrown) {
    if (isGone(thrown) && (await attachment.isLost())) throw toCommandError(thrown, action);
    if (scene.signal.aborted && effect !== 'commit') {
      // Stopped by a pause before it was through: the intent stays open, and the command runs again after the pause.
      return { commandId, status: 'skipped', screenshotId: '', domId: '' };
    }
    const context = { sessionId, stepIndex, commandId, moduleId: 'executor' };
    const full = toStandardError(toCommandError(thrown, action), 'TL004', context);
    error = values.redactAll({ ...full, cause: undefined });
  }
  // Known before the outcome is: a worker that takes over after it goes on in this tab.
  if (attachment.page !== frontBefore)
    await store.leases.setTarget(sessionId, scene.epoch, await attachment.targetId());
  return tell(scene, command, {
    effect: done,
    error,
    captured: captured ?? captureDom(attachment, values),
    evidence: attachment.watch.collected(),
    urlBefore,
    url: attachment.page.url(),
    duration: Math.round(performance.now() - startedAt),
  });
}

function guardOf({ runId, epoch }: BatchScene): { runId: string; epoch: number } {
  return { runId, epoch };
}

/** Sets the writing of the outcome and of the captures going, and sums it up. */
function tell(scene: BatchScene, command: PlannedCommand, acted: Acted): OneResult {
  const { values, sessionId, stepIndex } = scene;
  const { commandId, action } = command;
  const { captured, error } = acted;
  const screenshotId = scene.screenshotsEnabled ? newScreenshotId({ sessionId, stepIndex, action }) : '';
  const domId = `${commandId}.dom`;
  scene.captured = captured;
  scene.outcome = finish(scene, command, acted, { screenshotId, domId });
  scene.later.add(scene.outcome);
  scene.later.put(async () => await keepDom(scene, command, domId, values.redact((await captured).dom)));
  if (screenshotId !== '') scene.later.add(shoot(scene, command, screenshotId));
  return {
    commandId,
    status: error === undefined ? 'done' : 'failed',
    screenshotId,
    domId,
    ...(error === undefined ? {} : { code: error.code, message: error.message }),
  };
}

async function finish(
  scene: BatchScene,
  command: PlannedCommand,
  { effect, error, captured, evidence, urlBefore, url, duration }: Acted,
  { screenshotId, domId }: { screenshotId: string; domId: string },
): Promise<void> {
  const { store, values, sessionId, stepIndex } = scene;
  const { commandId, action } = command;
  const records = commandRecords(scene, command);
  const variable =
    effect?.variable === undefined ? undefined : { ...effect.variable, value: values.redact(effect.variable.value) };
  const page = url === urlBefore ? undefined : { url, title: (await captured).title };
  const happened: NewRecord[] = [
    ...(variable === undefined ? [] : [records.variable(variable.name, variable.value)]),
    ...(page === undefined ? [] : [records.navigated(values.redact(page.url), values.redact(page.title))]),
    error === undefined ? records.completed(duration) : records.failed(duration, error),
  ];
  const response: Omit<CommandResponse, 'dom'> = {
    success: error === undefined,
    commandId,
    screenshotId,
    duration,
    ...(error === undefined ? {} : { error }),
  };
  const hasLedOn = evidence.requests.length > 0 || evidence.navigations.length > 0;
  // First: a sign-in that the journal has as done must not be missing from the Chrome that comes after this one.
  if (EFFECT_CLASS[action] === 'commit' && hasLedOn) await throughOutage(() => takeCheckpoint(scene));
  const write = () =>
    store.journal.finish(
      sessionId,
      guardOf(scene),
      {
        commandId,
        status: error === undefined ? 'done' : 'failed',
        response,
        error,
        evidence: values.redactAll({ ...evidence, urlBefore, urlAfter: url }),
        domId,
      },
      happened,
      variable === undefined ? undefined : { ...variable, source: 'extracted', stepIndex },
    );
  await throughOutage(write);
  faultPoint('after-outcome');
}

/** A screenshot that fails is a warning: it never fails the command or the run. */
async function shoot(scene: BatchScene, command: PlannedCommand, screenshotId: string): Promise<void> {
  const { store, attachment, sessionId, stepIndex } = scene;
  const records = commandRecords(scene, command);
  const facts = { sessionId, stepIndex, commandId: command.commandId, action: command.action };
  let record: NewRecord;
  try {
    record = records.screenshot(await captureScreenshot(store, attachment, facts, screenshotId));
  } catch (error) {
    record = records.screenshotFailed(`No screenshot of ${command.action}: ${(error as Error).message.split('\n')[0]}`);
  }
  await store.log.append(sessionId, [record], { guard: guardOf(scene) });
}

/** A DOM that can't be kept is a warning as well; that the database is away is not. */
async function keepDom(scene: BatchScene, command: PlannedCommand, domId: string, dom: string): Promise<void> {
  const { store, sessionId, stepIndex } = scene;
  const { commandId, action } = command;
  try {
    await saveDom(store, { sessionId, stepIndex, commandId, action }, domId, dom);
  } catch (error) {
    if (!(error instanceof ArtifactNotKept)) throw error;
    const record = commandRecords(scene, command).domFailed(`No DOM of ${action}: ${error.message}.`);
    await store.log.append(sessionId, [record], { guard: guardOf(scene) });
  }
}
