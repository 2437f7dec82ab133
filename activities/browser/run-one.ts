import { EFFECT_CLASS, ParametersByAction, type CommandResponse } from '../../contracts/commands';
import type { StandardError } from '../../contracts/errors';
import type { NewRecord } from '../../contracts/log';
import { issuesOf } from '../../contracts/start-request';
import type { Store } from '../../store/store';
import type { CommandSummary, PlannedCommand } from '../browser-activities';
import { EngineError, toStandardError } from '../failures';
import type { Attachment } from './attachment';
import { captureDom, captureScreenshot, newScreenshotId, saveDom } from './capture';
import { commandRecords, type CommandPlace } from './command-records';
import type { CommandEffect } from './commands/command';
import { COMMANDS } from './commands';
import { isGone, toCommandError } from './playwright-errors';
import type { Values } from './secrets';
import { armPage, findTarget } from './target';

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
  /** Writes that need not hold up the next command; awaited before the batch returns. */
  later: Promise<void>[];
}

/** How long an element may take to be there: it was seen a moment ago. */
const ELEMENT_LIMIT_MS = 5000;

export type OneResult = CommandSummary & { screenshotId: string; domId: string };

/**
 * Runs one command: intent into the journal, act, outcome into the journal with what was seen. Contract: rejects only
 * when nothing can be said about the command (the browser is gone, the store refuses, the database is away).
 */
export async function runOne(scene: BatchScene, command: PlannedCommand, position: number): Promise<OneResult> {
  const { store, attachment, values, sessionId, stepIndex, turn, runId, epoch } = scene;
  const { commandId, action } = command;
  const effect = EFFECT_CLASS[action];
  const records = commandRecords(scene, command);
  const guard = { runId, epoch };
  // What may be repeated is stopped at once by a pause; what commits is never stopped in the middle.
  const signal = effect === 'commit' ? new AbortController().signal : scene.signal;
  const startedAt = performance.now();
  const urlBefore = attachment.page.url();
  attachment.watch.begin();

  // Looking for the element changes nothing, so it need not wait for the intent to be on disk; acting does.
  const [prepared, intended] = await Promise.allSettled([
    prepare(scene, command, signal),
    store.journal.intend(
      sessionId,
      guard,
      {
        commandId,
        stepIndex,
        turn,
        position,
        action,
        parameters: command.parameters,
        effect,
        target: command.target && { ...command.target },
        pageUrl: urlBefore,
      },
      [records.started()],
    ),
  ]);
  if (intended.status === 'rejected') throw intended.reason;

  let done: CommandEffect | void = undefined;
  let error: StandardError | undefined;
  try {
    if (prepared.status === 'rejected') throw prepared.reason;
    const { element, parameters } = prepared.value;
    done = await COMMANDS[action]({
      attachment,
      page: attachment.page,
      element,
      parameters,
      timeoutMs: scene.requestTimeoutMs,
      signal,
    });
    if (effect === 'commit') await attachment.watch.settle(attachment.page, scene.signal);
  } catch (thrown) {
    if (isGone(thrown) && !attachment.isConnected) throw toCommandError(thrown, action);
    const context = { sessionId, stepIndex, commandId, moduleId: 'executor' };
    const full = toStandardError(toCommandError(thrown, action), 'TL004', context);
    error = { ...full, message: values.redact(full.message), cause: undefined };
  }

  const dom = await captureDom(attachment, values);
  const duration = Math.round(performance.now() - startedAt);
  const isInterrupted = error !== undefined && scene.signal.aborted && effect !== 'commit';
  if (isInterrupted) {
    // Stopped by a pause before it was through: the intent stays open, and the command runs again after the pause.
    return { commandId, status: 'skipped', screenshotId: '', domId: '' };
  }

  const facts = { sessionId, stepIndex, commandId, action };
  const screenshotId = scene.screenshotsEnabled ? newScreenshotId(facts) : '';
  const domId = `${commandId}.dom`;
  const url = attachment.page.url();
  const variable =
    done?.variable === undefined ? undefined : { ...done.variable, value: values.redact(done.variable.value) };
  const happened: NewRecord[] = [
    ...(variable === undefined ? [] : [records.variable(variable.name, variable.value)]),
    ...(url === urlBefore
      ? []
      : [records.navigated(values.redact(url), await attachment.page.title().catch(() => ''))]),
    error === undefined ? records.completed(duration) : records.failed(duration, error),
  ];
  const response: Omit<CommandResponse, 'dom'> = {
    success: error === undefined,
    commandId,
    screenshotId,
    duration,
    ...(error === undefined ? {} : { error }),
  };
  await store.journal.finish(
    sessionId,
    guard,
    {
      commandId,
      status: error === undefined ? 'done' : 'failed',
      response,
      error,
      evidence: JSON.parse(
        values.redact(JSON.stringify({ ...attachment.watch.collected(), urlBefore, urlAfter: url })),
      ) as Record<string, unknown>,
      domId,
    },
    happened,
    variable === undefined ? undefined : { ...variable, source: 'extracted', stepIndex },
  );
  scene.later.push(saveDom(store, facts, domId, dom));
  if (screenshotId !== '') scene.later.push(shoot(scene, command, screenshotId));
  return {
    commandId,
    status: error === undefined ? 'done' : 'failed',
    screenshotId,
    domId,
    ...(error === undefined ? {} : { code: error.code, message: error.message }),
  };
}

async function prepare(scene: BatchScene, command: PlannedCommand, signal: AbortSignal) {
  const checked = ParametersByAction[command.action].safeParse(command.parameters);
  if (!checked.success) {
    const issues = issuesOf(checked.error);
    throw new EngineError(
      'SM002',
      `${command.action}: ${issues.map(({ path, message }) => `${path || 'parameters'}: ${message}`).join('; ')}`,
      { details: { issues } },
    );
  }
  const { attachment, values } = scene;
  const parameters = values.fill(command.parameters);
  const text = JSON.stringify(parameters);
  if (values.redact(text) !== text) attachment.trace.taint();
  if (parameters.selector === undefined) {
    if (EFFECT_CLASS[command.action] === 'commit' && command.action === 'PRESS_KEY')
      await armPage(attachment.page, command);
    return { element: undefined, parameters };
  }
  const limitMs = Math.min(ELEMENT_LIMIT_MS, scene.requestTimeoutMs);
  const element = await findTarget(attachment.page, command, parameters.selector, limitMs, signal);
  return { element, parameters };
}

/** A screenshot that fails is a warning: it never fails the command or the run. */
async function shoot(scene: BatchScene, command: PlannedCommand, screenshotId: string): Promise<void> {
  const { store, attachment, sessionId, stepIndex, epoch, runId } = scene;
  const records = commandRecords(scene, command);
  const facts = { sessionId, stepIndex, commandId: command.commandId, action: command.action };
  let record: NewRecord;
  try {
    record = records.screenshot(await captureScreenshot(store, attachment, facts, screenshotId));
  } catch (error) {
    record = records.screenshotFailed(`No screenshot of ${command.action}: ${(error as Error).message.split('\n')[0]}`);
  }
  await store.log.append(sessionId, [record], { guard: { runId, epoch } });
}
