import { workflowInfo } from '@temporalio/workflow';
import type { CommandSummary } from '../../activities/browser-activities';
import type { ReportedCommand } from '../../activities/recovery-activities';
import { toCommandText } from '../../contracts/commands/command-text';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import { STORE_BEHIND } from '../../contracts/errors/standard-error';
import type { SessionBrowser } from '../browsers/session-browser';
import { engineActivities } from '../proxies/activity-proxies';
import { applicationFailureOf } from '../proxies/failures';
import type { Pause } from '../waits/pause';
import type { SessionState } from './session-state';

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
    private readonly session: SessionState,
    private readonly browser: SessionBrowser,
    private readonly pause: Pause,
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
      const status = outcomes.find(({ commandId }) => commandId === command.commandId)?.status;
      if (status === undefined || status === 'skipped') continue;
      this.commands.push({ ...place, position, command, status });
      this.session.outbox.hasReported(command.commandId);
    }
    this.commands = this.commands.slice(-REMEMBERED_COMMANDS);
  }

  /** Resolves when the database has what it had forgotten, so that what failed can be tried again; undefined for any other failure. */
  private recover(error: unknown): Promise<void> | undefined {
    if (applicationFailureOf(error)?.type !== STORE_BEHIND || this.session.id === '') return undefined;
    // Several writes may find it out at once.
    this.recovering ??= this.writeAgain().finally(() => (this.recovering = undefined));
    return this.recovering;
  }

  private async writeAgain(): Promise<void> {
    const { session, browser, pause, commands } = this;
    const { steps, outbox, status } = session;
    const { continuedFromExecutionRunId: continuedFrom } = workflowInfo();
    const stepIndex = steps.lastIndex;
    const { forgotten } = await engineActivities('write again what the database has forgotten').recoverSession({
      sessionId: session.id,
      plan: session.start.plan,
      ...(continuedFrom === undefined ? {} : { continuedFrom }),
      stepIndex,
      epoch: browser.knownEpoch,
      commands,
      outbox: outbox.everything({ status, currentStep: stepIndex }),
    });
    // A person is asked about those of the current step by themselves.
    const earlier = commands.filter(
      (each) => each.stepIndex !== stepIndex && forgotten.includes(each.command.commandId),
    );
    if (earlier.length > 0) pause.hold(holdingText(earlier));
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
