import { sleep } from '@temporalio/workflow';
import type { AcquireInput, Lease, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import type { PageState } from '../../contracts/events/outbox';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { errorRecordOf, isLeaseLost, outputOf } from '../proxies/failures';
import { commandActivities, type PageWorkLimits } from '../proxies/activity-proxies';
import type { SessionConfig } from '../../contracts/sessions/config';
import type { RunningSession } from '../state/session-state';
import type { SessionRun } from './session-run';
import { atBrowser } from './at-browser';

/** A session that loses its browser more often than this in one batch has a problem that a new browser won't cure. */
const MAX_LOST_BROWSERS = 3;

/** The model call whose commands are run. */
interface BatchTurn {
  stepIndex: number;
  turn: number;
  /** The command that a person is to be asked about: the snapshot has what they are shown. */
  view?: PlannedCommand | undefined;
  /** The activity judges the page itself, since no call of a model follows. */
  judgesPage?: true | undefined;
}

/** What gives a batch up for good: a cancelled response, unless the caller passes another one. */
export interface Stopper {
  readonly isCancelled: boolean;
  /** Runs work that may be given up in the middle. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

type BatchResult = RunCommandsOutput | 'browser-lost' | 'page-replaced' | 'stopped';

/**
 * Runs the commands of one reply to their end, over pauses and dead workers. A batch whose Chrome is gone ends with
 * `browser-lost`, after another Chrome was restored and the journal closed; the model then decides what is left to do.
 * @param ran what the first run of them has reported, where they were run as soon as they were decided on
 */
export async function runCommandBatch(
  run: SessionRun,
  commands: PlannedCommand[],
  batchTurn: BatchTurn,
  stopper: Stopper = run.task.turns,
  ran?: RunCommandsOutput,
): Promise<BatchResult> {
  const { session, browser, pause } = run;
  const { pageReplacements } = browser;
  let lostBrowsers = 0;
  let waits = 0;
  let lost: AcquireInput['lost'];
  for (let reported = ran; ; reported = undefined) {
    if (reported === undefined) await pause.safePoint();
    if (browser.pageReplacements !== pageReplacements) return 'page-replaced';
    if (stopper.isCancelled) return 'stopped';
    try {
      const { lease } = browser;
      if (lease === undefined) {
        const acquired = await stopper.run(() => browser.acquire(lost));
        browser.setLease(acquired);
        if (lost !== undefined && acquired.browserId !== lost.browserId) return 'browser-lost';
        // Back to the start: a pause that was requested meanwhile comes before the first command.
        continue;
      }
      const result = reported ?? (await runOnce(run, lease, commands, batchTurn));
      if (result === undefined) continue;
      browser.setLease(result.lease);
      run.recovery.reported(batchTurn, commands, result.outcomes);
      showProblem(run, commands, result);
      const { asks } = result;
      if (asks !== undefined) {
        await stopper.run(() => run.askedSecret.ask(asks, batchTurn.stepIndex));
        continue;
      }
      if (result.heldKey !== undefined) {
        await waitForKey(run, batchTurn, result.heldKey, waits, stopper);
        waits += 1;
        continue;
      }
      if (!result.isInterrupted) return result;
    } catch (error) {
      if (!isLeaseLost(error) || lostBrowsers >= MAX_LOST_BROWSERS) throw error;
      lostBrowsers += 1;
      const { stepIndex, turn } = batchTurn;
      if (browser.lease !== undefined) lost = { browserId: browser.lease.browserId, stepIndex };
      browser.forgetLease();
      const id = `${session.id}/browser-lost/${stepIndex}/${turn}/${lostBrowsers}`;
      session.warn({ id, code: 'EX001', message: lossMessage(error) }, stepIndex);
    }
  }
}

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 60_000;

/** Another session holds the key of what is to happen once: the batch is run again when it may have ended. */
async function waitForKey(
  { session }: SessionRun,
  { stepIndex, turn }: BatchTurn,
  holder: string,
  waits: number,
  stopper: Stopper,
): Promise<void> {
  const message = `This step waits until it is known what another session has done. ${holder}`;
  if (waits === 0) session.warn({ id: `${session.id}/once/${stepIndex}/${turn}`, code: 'SP001', message }, stepIndex);
  session.details.setProblem(message);
  session.showDetails();
  const delayMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits);
  await stopper.run(() => sleep(delayMs, { summary: `wait for the key that another session holds` }));
}

function lossMessage(error: unknown): string {
  const reason: unknown = errorRecordOf(error)?.details?.['reason'];
  const why = typeof reason === 'string' ? ` ${reason}.` : '';
  return `The browser of this session was lost.${why} Another one is started from the last checkpoint, and the page is read anew.`;
}

/** Takes a snapshot of the page as it is now, with what a person is shown for a command where one is given. Undefined when a pause or a lost browser prevented it. */
export async function observePage(
  run: SessionRun,
  batchTurn: BatchTurn,
  view?: PlannedCommand,
): Promise<PageState | undefined> {
  const { stepIndex, turn } = batchTurn;
  const result = await runCommandBatch(run, [], { stepIndex, turn, view });
  return typeof result === 'string' ? undefined : run.browser.setPage(result.page);
}

async function runOnce(
  run: SessionRun,
  lease: Lease,
  commands: PlannedCommand[],
  { stepIndex, turn, view, judgesPage }: BatchTurn,
): Promise<RunCommandsOutput | undefined> {
  const { session } = run;
  const { id: sessionId, outbox: pending, steps } = session;
  const { once } = steps.current;
  const executor = executorOf(session);
  const summary = commands.map(summaryOf).join(', ').slice(0, 200) || 'look at the page';
  // A snapshot alone takes its time too.
  const limits = batchLimits(session, executor, Math.max(1, commands.length));
  return await atBrowser(run, lease, (route) =>
    pending.flushWith((outbox) =>
      commandActivities(lease, route, summary, limits)
        .runCommands({
          sessionId,
          stepIndex,
          turn,
          lease,
          commands,
          executor,
          ...(view === undefined ? {} : { view }),
          ...(judgesPage === true ? { judgesPage } : {}),
          ...(once === undefined || commands.length === 0 ? {} : { once }),
          outbox,
        })
        .catch(reportedWith<RunCommandsOutput>),
    ),
  );
}

/** How commands are run: none for longer than its step may last. */
export function executorOf({ config, steps }: RunningSession): SessionConfig['executor'] {
  return { ...config.executor, timeoutMs: Math.min(config.executor.timeoutMs, steps.current.options.timeoutMs) };
}

export function batchLimits(
  session: RunningSession,
  executor: SessionConfig['executor'],
  commands: number,
): PageWorkLimits {
  const values = { ...session.limitValues, 'executorConfig.timeoutMs': executor.timeoutMs, commands };
  return { values, leftMs: session.leftMs };
}

/** A batch with a command that was not done has failed, and says what it has done. */
export function reportedWith<Output>(error: unknown): Output {
  const output = outputOf<Output>(error);
  if (output === undefined) throw error;
  return output;
}

/** Temporal's page of the session says which command was not done. */
function showProblem(
  { session }: SessionRun,
  commands: readonly PlannedCommand[],
  { outcomes }: RunCommandsOutput,
): void {
  if (outcomes.length === 0) return;
  const at = outcomes.findIndex(({ status }) => status === 'failed' || status === 'unknown');
  const { status = '', message = '' } = outcomes[at] ?? {};
  session.details.setProblem(at < 0 ? undefined : `${summaryOf(commands[at]!)} ${status}: ${message}`);
  session.showDetails();
}

/** One command in a few words, without its values: `INPUT_TEXT textbox "Password"`. */
function summaryOf({ action, parameters, target }: PlannedCommand): string {
  const text = action === 'INPUT_TEXT' ? undefined : parameters.text;
  const what =
    target === undefined
      ? (parameters.url ?? parameters.selector ?? parameters.key ?? text ?? '')
      : `${target.role} "${target.name}"`;
  return `${action} ${what}`.trim();
}
