import type { PageState } from '../../contracts/bookkeeping';
import { EFFECT_CLASS } from '../../contracts/commands';
import type { JournalEntry } from '../../store/journal';
import { StoreRefusal } from '../../store/refusals';
import type { Store } from '../../store/store';
import type { ActivityCall } from '../activity';
import type { CommandSummary, PlannedCommand, RunCommandsInput, RunCommandsOutput } from '../browser-activities';
import { write } from '../events/bookkeeping';
import type { Attachments } from './attachments';
import { COMMANDS } from './commands';
import { lookAt } from './look';
import { runOne, type BatchScene } from './run-one';
import { createValues } from './secrets';
import { resolveIntent } from './unknown';

export interface RunCommandsDeps {
  store: Store;
  attachments: Attachments;
  /** Where `{"env": "NAME"}` variables get their values. */
  env: NodeJS.ProcessEnv;
}

/**
 * The commands of one reply, in order, to the first that fails; then a look at the page. Running it again is safe at
 * any moment: what the journal knows as done is not done again, what may be repeated is, and a commit that was under
 * way is looked into first (design: Browser, Commands).
 */
export async function runCommands(
  deps: RunCommandsDeps,
  input: RunCommandsInput,
  call: ActivityCall,
): Promise<RunCommandsOutput> {
  const { store, attachments, env } = deps;
  const { sessionId, stepIndex, turn, commands, executor } = input;
  await write(store, sessionId, call.runId, input.bookkeeping);
  const { attachment, lease } = await attachments.use(sessionId, call.runId, input.lease, executor.timeoutMs);
  const [variables, journal] = await Promise.all([
    store.variables.ofSession(sessionId),
    store.journal.find(
      sessionId,
      commands.map((command) => command.commandId),
    ),
    attachment.trace.begin(stepIndex),
  ]);
  const values = createValues(variables, env);
  const scene: BatchScene = {
    store,
    attachment,
    values,
    sessionId,
    stepIndex,
    turn,
    epoch: lease.epoch,
    runId: call.runId,
    requestTimeoutMs: executor.timeoutMs,
    screenshotsEnabled: executor.screenshotsEnabled,
    signal: call.signal,
    later: [],
  };

  const pageBefore = attachment.page;
  const outcomes: CommandSummary[] = [];
  let page: PageState = { screenshotId: '', url: attachment.page.url() };
  let isInterrupted = false;
  for (const [position, command] of commands.entries()) {
    isInterrupted = call.signal.aborted;
    if (isInterrupted) break;
    const entry = journal.find(({ commandId }) => commandId === command.commandId);
    const outcome = await outcomeOf(scene, attachments, command, position, entry);
    if (outcome === 'interrupted') {
      isInterrupted = true;
      break;
    }
    outcomes.push(outcome);
    if (outcome.page !== undefined) page = outcome.page;
    if (outcome.status !== 'done') break;
  }
  const skipped = commands
    .slice(outcomes.length)
    .map(({ commandId }): CommandSummary => ({ commandId, status: 'skipped' }));
  if (outcomes.at(-1)?.status === 'failed') await attachment.trace.goDeeper(stepIndex);
  if (!isInterrupted) {
    await attachment.watch.settle(attachment.page, call.signal);
    await store.memory.saveLook(sessionId, await lookAt(attachment, values));
  }
  await Promise.all(scene.later);
  if (attachment.page !== pageBefore) await store.leases.setTarget(sessionId, lease.epoch, await attachment.targetId());
  return {
    outcomes: [
      ...outcomes.map(({ commandId, status, code, message }) => ({ commandId, status, code, message })),
      ...skipped,
    ],
    isInterrupted,
    lease,
    page: { ...page, url: values.redact(attachment.page.url()) },
  };
}

type Told = CommandSummary & { page?: PageState };

async function outcomeOf(
  scene: BatchScene,
  attachments: Attachments,
  command: PlannedCommand,
  position: number,
  entry: JournalEntry | undefined,
): Promise<Told | 'interrupted'> {
  if (entry !== undefined && entry.status !== 'intended') {
    await reapply(scene, command, entry);
    return recorded(entry);
  }
  if (entry !== undefined && EFFECT_CLASS[command.action] === 'commit') {
    const verdict = await resolveIntent(scene, await attachments.keeper(), command, entry);
    if (verdict === 'unknown') return { commandId: command.commandId, status: 'unknown' };
  }
  try {
    const { screenshotId, domId, ...summary } = await runOne(scene, command, position);
    if (summary.status === 'skipped') return 'interrupted';
    return { ...summary, page: { screenshotId, domId, url: scene.attachment.page.url() } };
  } catch (refusal) {
    // The pause was written while we were between two commands.
    if (refusal instanceof StoreRefusal && refusal.reason === 'paused') return 'interrupted';
    throw refusal;
  }
}

function recorded(entry: JournalEntry): Told {
  const { commandId, status, error, domId, response } = entry;
  return {
    commandId,
    status: status === 'intended' ? 'unknown' : status,
    code: error?.code,
    message: error?.message,
    ...(response === undefined ? {} : { page: { screenshotId: response.screenshotId, domId, url: '' } }),
  };
}

/** An armed answer lives in the worker: a new worker has to arm it again for the command that comes next. */
async function reapply(
  { attachment, requestTimeoutMs, signal }: BatchScene,
  { action, parameters }: PlannedCommand,
  entry: JournalEntry,
): Promise<void> {
  if (action !== 'HANDLE_DIALOG' || entry.status !== 'done') return;
  await COMMANDS[action]({
    attachment,
    page: attachment.page,
    element: undefined,
    parameters,
    timeoutMs: requestTimeoutMs,
    signal,
  });
}
