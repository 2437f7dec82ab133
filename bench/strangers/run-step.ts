import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { PastCommand } from '../../contracts/model-port/port';
import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { Attachment } from '../../activities/browser/attach/attachment';
import type { BatchContext } from '../../activities/browser/commands/batch-context';
import { handleCommand } from '../../activities/browser/commands/handlers';
import { prepare } from '../../activities/browser/commands/prepare';
import { takeSnapshot } from '../../activities/browser/pages/snapshots/take-snapshot';
import { toCommandError } from '../../activities/browser/attach/playwright-errors';
import { toStandardError } from '../../activities/activity/failures';
import { createSessionValues } from '../../activities/secrets/session-values';
import { durableTarget, refIn } from '../../rules/page-text/durable-target';
import { followStep } from '../harness/follow-step';
import { readBy, type Reader } from './reader';

/** What a step came to, without a store and without Temporal. */
export interface StepRun {
  isDone: boolean;
  message: string;
  saved: Record<string, string>;
  commands: string[];
}

const MOST_ITERATIONS = 25;
const COMMAND_LIMIT_MS = 5000;

/**
 * Carries out a step on the page in front by the model `rules` and the handlers of the commands. What the rules could not
 * read is said in their words by the reader, as with `"reading": "both"`.
 */
export async function runStep(attachment: Attachment, instruction: string, reader?: Reader): Promise<StepRun> {
  const values = createSessionValues([], {});
  const batch = { attachment, values, commandTimeoutMs: COMMAND_LIMIT_MS, sessionId: 'bench' } as BatchContext;
  const saved: Record<string, string> = {};
  // What was answered for the step before is over.
  attachment.watch.dialogAnswers.end();
  const commands: string[] = [];
  let before: PageSnapshot | null = null;
  const { decision, isDone } = await followStep(instruction, MOST_ITERATIONS, {
    saved,
    ...(reader && { read: (request) => readBy(reader, request) }),
    async look() {
      before = await takeSnapshot(attachment, values, { words: [], before });
      return before;
    },
    async run(asked, snapshot) {
      const outcomes: PastCommand[] = [];
      for (const command of asked) {
        const isSkipped = outcomes.some(({ status }) => status === 'failed');
        const { action, parameters } = command;
        outcomes.push(
          isSkipped ? { action, parameters, status: 'skipped' } : await runCommand(batch, snapshot, command, saved),
        );
        commands.push(`${action} ${JSON.stringify(parameters)} ${outcomes.at(-1)!.status}`);
      }
      return outcomes;
    },
  });
  const message = decision === undefined ? 'It did not end.' : isDone ? '' : decision.message;
  return { isDone, message, saved, commands };
}

async function runCommand(
  batch: BatchContext,
  snapshot: PageSnapshot,
  { action, parameters }: AIGeneratedCommand,
  saved: Record<string, string>,
): Promise<PastCommand> {
  const { attachment } = batch;
  const { signal } = new AbortController();
  const urlBefore = attachment.page.url();
  attachment.watch.startCollecting();
  const targetOf = (selector: string | undefined) => {
    const ref = selector === undefined ? undefined : refIn(selector);
    return ref === undefined ? undefined : durableTarget(snapshot, ref);
  };
  const target = targetOf(parameters.selector);
  const toTarget = targetOf(parameters.toSelector);
  const command: PlannedCommand = {
    commandId: crypto.randomUUID(),
    action,
    parameters,
    ...(target && { target }),
    ...(toTarget && { toTarget }),
  };
  try {
    const prepared = await prepare(batch, command, signal);
    const result = await handleCommand(action, {
      batch,
      commandId: command.commandId,
      attachment,
      page: attachment.page,
      ...prepared,
      timeoutMs: COMMAND_LIMIT_MS,
      signal,
    });
    await attachment.watch.settle(attachment.page, signal);
    if (result?.variable !== undefined) {
      saved[result.variable.name] = result.variable.value;
      batch.values.save(result.variable.name, result.variable.value);
    }
    const urlAfter = attachment.page.url();
    const evidence = { kind: 'observed' as const, ...attachment.watch.collected(), urlBefore, urlAfter };
    return { action, parameters, status: 'done', evidence };
  } catch (error) {
    const { code, message } = toStandardError(toCommandError(error, action), 'TL004');
    return { action, parameters, status: 'failed', error: { code, message } };
  }
}
