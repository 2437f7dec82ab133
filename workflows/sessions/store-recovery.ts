import { workflowInfo } from '@temporalio/workflow';
import type { CommandSummary } from '../../activities/signatures/browser-activities';
import type { RecoverSessionInput, ReportedCommand } from '../../activities/signatures/recovery-activities';
import { toCommandText } from '../../contracts/commands/command-text';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { STORE_BEHIND } from '../../contracts/errors/standard-error';
import type { OutboxBatch } from '../../contracts/events/outbox';
import type { RunningBatch } from '../browsers/running-batch';
import type { SessionBrowser } from '../browsers/session-browser';
import { commandActivities, engineActivities } from '../proxies/activity-proxies';
import { applicationFailureOf } from '../proxies/failures';
import type { Pause } from '../waits/pause';
import type { RunningSession } from '../state/session-state';

/** The newest are enough: a database that is put back has lost its end. */
const REMEMBERED_COMMANDS = 50;

/**
 * What a session does when its database has forgotten what this workflow knows: the history is a witness that outlives the
 * host. The session's row and the workflow's own records are written again, commands that are missing are entered as they
 * were reported, and a person is asked before the session goes on behind one that nothing takes back.
 */
export class StoreRecovery {
  private commands: ReportedCommand[] = [];
  private recovering: Promise<void> | undefined;

  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
    private readonly pause: Pause,
    private readonly batch: RunningBatch,
  ) {
    session.outbox.recoverWith((error) => this.recover(error));
  }

  /** Notes what a batch has reported: a database without it is behind. */
  reported(
    place: { stepIndex: number; turn: number },
    commands: readonly PlannedCommand[],
    outcomes: readonly CommandSummary[],
  ): void {
    for (const [position, command] of commands.entries()) {
      const { status, isUnrun } = outcomes.find(({ commandId }) => commandId === command.commandId) ?? {};
      if (status === undefined || status === 'skipped' || isUnrun === true) continue;
      this.commands.push({ ...place, position, command, status });
      this.session.outbox.hasReported(command.commandId);
    }
    this.commands = this.commands.slice(-REMEMBERED_COMMANDS);
  }

  /** What this workflow knows that the database may have forgotten, for who asks from outside. Changes nothing. */
  toQuery(): RecoverSessionInput {
    return this.known(this.session.outbox.remembered(this.row()));
  }

  private row() {
    const { status, steps } = this.session;
    return { status, currentStep: steps.lastIndex };
  }

  private known(outbox: OutboxBatch): RecoverSessionInput {
    const { session, browser, commands } = this;
    const { continuedFromExecutionRunId: continuedFrom } = workflowInfo();
    return {
      sessionId: session.id,
      plan: session.start.plan,
      ...(continuedFrom === undefined ? {} : { continuedFrom }),
      ...(session.isEnded ? {} : { stepIndex: session.steps.lastIndex }),
      epoch: browser.knownEpoch,
      ...(browser.lease === undefined ? {} : { hostId: browser.lease.hostId }),
      commands,
      outbox,
    };
  }

  /** Resolves when the database has what it had forgotten, so that what failed can be tried again; undefined for any other failure. */
  private recover(error: unknown): Promise<void> | undefined {
    if (applicationFailureOf(error)?.type !== STORE_BEHIND || this.session.id === '') return undefined;
    // Several writes may find it out at once.
    this.recovering ??= this.writeAgain().finally(() => (this.recovering = undefined));
    return this.recovering;
  }

  private async writeAgain(): Promise<void> {
    const { pause, commands } = this;
    const known = this.known(this.session.outbox.everything(this.row()));
    const { forgotten } = await engineActivities('write again what the database has forgotten').recoverSession(known);
    await this.lookAgain();
    // A person is asked about those of the current step by themselves.
    const earlier = commands.filter(
      (each) => each.stepIndex !== known.stepIndex && forgotten.includes(each.command.commandId),
    );
    if (earlier.length > 0) pause.hold(holdingText(earlier), 'rolled-back-store');
  }

  /**
   * The page is as it is, and the database may show an older one. A batch that is under way looks by itself. Its host enters
   * what was begun there; a browser that does not answer is found lost by the next batch.
   */
  private async lookAgain(): Promise<void> {
    const { session, browser, batch } = this;
    const { lease } = browser;
    if (lease === undefined || batch.ended !== undefined) return;
    const { executor } = session.config;
    const place = { sessionId: session.id, stepIndex: session.steps.lastIndex, turn: 0, lease, executor };
    const outbox = { records: [], patch: {}, stepResults: [] };
    const limits = { values: { ...session.limitValues, commands: 1 }, leftMs: undefined };
    const looking = commandActivities(lease, 'worker', 'look at the page again', limits).runCommands({
      ...place,
      commands: [],
      outbox,
    });
    await looking.then(
      (seen) => browser.setLease(seen.lease),
      () => {},
    );
  }
}

function holdingText(forgotten: readonly ReportedCommand[]): string {
  const names = forgotten.map(
    ({ command, stepIndex, status }) => `${toCommandText(command)} (step ${stepIndex + 1}, ${status})`,
  );
  return (
    'The database was put back to an earlier time, and had forgotten commands that nothing takes back. Temporal has them: ' +
    `${names.join(', ')}. They are entered again and not repeated. Look whether all is well, then resume the session.`
  );
}
