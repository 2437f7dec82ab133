import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { AcquireInput, Lease, RunCommandsOutput } from '../../activities/browser-activities';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { StreamEventType } from '../../contracts/events/stream-event';
import { commandActivities, sharedBrowserActivities, type Route } from '../activities/proxies';
import { isLeaseLost, isTransient, isWorkerGone, withRetries } from '../activities/failures';
import { priorityOf, queueForBrowser } from '../waits/browser-queue';
import { onHost } from '../activities/host-pickup';
import type { PauseControl } from '../waits/pause';
import type { SessionRun } from '../sessions/session-run';

/** After a cancellation a running command gets this long to end before its browser is taken away. */
const CANCEL_PATIENCE_MS = 900;
/** A session that loses its browser more often than this in one batch has a problem that a new browser won't cure. */
const MAX_LOST_BROWSERS = 3;
const FIRST_PRIORITY = 1;

/** What gives a batch up for good: of the response, unless somebody says otherwise. */
export interface Stopper {
  readonly isCancelled: boolean;
  /** Work that may be given up in the middle. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Runs the commands of one reply to their end, over pauses and dead workers. When their Chrome is gone they end with it:
 * another one is restored and the journal closed before this returns, and the model decides what is left to do.
 */
export async function runBatch(
  run: SessionRun,
  pause: PauseControl,
  answer: { commands: PlannedCommand[] },
  stepIndex: number,
  turn: number,
  stopper: Stopper = run.turns,
): Promise<RunCommandsOutput | 'browser-lost' | 'page-replaced' | 'stopped'> {
  const { pagesReplaced } = run;
  let lostBrowsers = 0;
  let lost: AcquireInput['lost'];
  for (;;) {
    await pause.safePoint();
    if (run.pagesReplaced !== pagesReplaced) return 'page-replaced';
    if (stopper.isCancelled) return 'stopped';
    try {
      if (run.lease === undefined) {
        run.lease = await stopper.run(() => takeLease(run, lost));
        if (lost !== undefined && run.lease.browserId !== lost.browserId) return 'browser-lost';
        // Back to the start: a pause that was asked for meanwhile comes before the first command.
        continue;
      }
      const result = await once(run, run.lease, pause, answer.commands, stepIndex, turn);
      if (result === undefined) continue;
      run.lease = result.lease;
      if (!result.isInterrupted) return result;
    } catch (error) {
      if (!isLeaseLost(error) || lostBrowsers >= MAX_LOST_BROWSERS) throw error;
      lostBrowsers += 1;
      if (run.lease !== undefined) lost = { browserId: run.lease.browserId, stepIndex };
      run.lease = undefined;
      run.record(
        'executor-streamer',
        StreamEventType.WARNING_ISSUED,
        {
          warning: {
            id: `${run.sessionId}/browser-lost/${stepIndex}/${turn}/${lostBrowsers}`,
            code: 'EX001',
            message: 'The browser of this session was lost; a new one is started and the page is looked at anew.',
            timestamp: new Date(),
            sessionId: run.sessionId,
            stepIndex,
          },
        },
        stepIndex,
      );
    }
  }
}

async function once(
  run: SessionRun,
  lease: Lease,
  pause: PauseControl,
  commands: PlannedCommand[],
  stepIndex: number,
  turn: number,
): Promise<RunCommandsOutput | undefined> {
  const send = (route: Route): Promise<RunCommandsOutput> =>
    run.outbox.flushWith((outbox) =>
      commandActivities(lease, route, run.config.timeouts, {
        // A look alone takes its time too.
        commandCount: Math.max(1, commands.length),
        requestTimeoutMs: run.config.executor.timeoutMs,
        summary: commands.map(describe).join(', ').slice(0, 200) || 'look at the page',
      }).runCommands({
        sessionId: run.sessionId,
        stepIndex,
        turn,
        lease,
        commands,
        executor: run.config.executor,
        outbox,
      }),
    );
  return await atBrowser(run, lease, pause, send);
}

/**
 * Work in the browser: sent to the attached worker, else to any of its host, and stopped by a pause or a cancellation.
 * Undefined when a pause left nothing to tell.
 */
export async function atBrowser<T>(
  run: SessionRun,
  lease: Lease,
  pause: PauseControl,
  send: (route: Route) => Promise<T>,
): Promise<T | undefined> {
  const batch = pause.interruptible(async () => {
    try {
      return await send('worker');
    } catch (error) {
      if (!isWorkerGone(error) && !isTransient(error)) throw error;
      const place = { sessionId: run.sessionId, hostId: lease.hostId };
      return await onHost(place, run.config.timeouts.connectionTimeoutMs, () => send('host'));
    }
  });
  run.batchInFlight = batch.then(
    () => {},
    () => {},
  );
  void run.batchInFlight.then(() => {
    run.batchInFlight = undefined;
  });
  const { batchInFlight } = run;
  return await Promise.race([batch, givenUpAfterCancel(() => run.batchInFlight === batchInFlight)]);
}

/** Rejects some time after the surrounding scope (the step or the session) is cancelled; never resolves. */
async function givenUpAfterCancel(isUnderWay: () => boolean): Promise<never> {
  try {
    return await CancellationScope.current().cancelRequested;
  } catch (cancellation) {
    // The scope outlives this batch: a later cancellation is nothing to wait for.
    if (!isUnderWay()) throw cancellation;
    await CancellationScope.nonCancellable(() => sleep(CANCEL_PATIENCE_MS, { summary: 'let the running command end' }));
    throw cancellation;
  }
}

/** Starts a browser while the model is still asked for the first time; whoever needs it first waits for it. */
export function acquireAhead(run: SessionRun, returning?: AcquireInput['returning']): void {
  const scope = new CancellationScope({ cancellable: true });
  run.acquiring = scope.run(() => acquire(run, { returning }));
  run.stopAcquiring = () => scope.cancel();
  // A failure is told to the one who needs the browser.
  run.acquiring.catch(() => {});
}

async function takeLease(run: SessionRun, lost: AcquireInput['lost']): Promise<Lease> {
  const acquiring = run.acquiring ?? acquire(run, { lost });
  // Begun outside of the step, so that the step's end does not cancel it.
  const lease = await Promise.race([acquiring, CancellationScope.current().cancelRequested]).catch((error: unknown) => {
    if (!isCancellation(error)) run.acquiring = undefined;
    throw error;
  });
  run.acquiring = undefined;
  return lease;
}

async function acquire(run: SessionRun, { lost, returning }: Pick<AcquireInput, 'lost' | 'returning'>): Promise<Lease> {
  const { timeouts, executor } = run.config;
  const given = priorityOf(run);
  // One that has lost its browser goes first: what it has done so far is worth most.
  const priority = lost === undefined ? given : { ...given, priorityKey: FIRST_PRIORITY };
  return await queueForBrowser(run, priority.priorityKey, (requestId) =>
    withRetries(timeouts, () =>
      sharedBrowserActivities(timeouts, priority).acquireBrowser({
        sessionId: run.sessionId,
        headless: executor.headless,
        ...(executor.network === undefined ? {} : { network: executor.network }),
        requestId,
        ...(lost === undefined ? {} : { lost }),
        ...(returning === undefined ? {} : { returning }),
      }),
    ),
  );
}

/** One command in a few words, without its values: `INPUT_TEXT textbox "Password"`. */
function describe({ action, parameters, target }: PlannedCommand): string {
  const shown = action === 'INPUT_TEXT' ? undefined : parameters.text;
  const what =
    target === undefined
      ? (parameters.url ?? parameters.selector ?? parameters.key ?? shown ?? '')
      : `${target.role} "${target.name}"`;
  return `${action} ${what}`.trim();
}
