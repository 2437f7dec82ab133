import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import {
  resolveUnknownCommand,
  unknownOutcomeName,
  describeUnknownOutcome,
  type ResolveUnknownRequest,
  type UnknownOutcome,
} from '../../contracts/approvals/unknown-outcome';
import type { WaitingFor } from '../../contracts/approvals/waiting-for';
import { waitOutPause } from '../browsers/release';
import type { SessionRun } from '../sessions/session-run';

type WaitState =
  { kind: 'none' } | { kind: 'waiting'; unknown: UnknownOutcome } | { kind: 'answered'; happened: boolean };

/** A commit of which nobody knows whether it happened: the session stands still until a person says. */
export class UnknownWait {
  private state: WaitState = { kind: 'none' };

  constructor(private readonly run: SessionRun) {}

  /** What a person is asked for now. */
  get unknown(): UnknownOutcome | undefined {
    return this.state.kind === 'waiting' ? this.state.unknown : undefined;
  }

  /** The first answer counts; whoever calls has made sure that this one is waited for. */
  answer({ happened }: ResolveUnknownRequest): void {
    this.state = { kind: 'answered', happened };
  }

  /**
   * Resolves to what a person says. The question is published with the row that shows it, the answer with the journal's
   * note of it. A pause that is asked for meanwhile begins at the next safe point, so nothing starts between the two.
   */
  async ask(unknown: UnknownOutcome): Promise<boolean> {
    const { run } = this;
    this.state = { kind: 'waiting', unknown };
    run.clock.stop();
    let happened: boolean;
    try {
      happened = await this.answerOf(unknown);
    } finally {
      // Also when the session is cancelled meanwhile: it asks nobody any more.
      this.state = { kind: 'none' };
      run.outbox.patchRow({ waitingFor: null });
    }
    run.clock.start();
    const resolution = { commandId: unknown.commandId, by: 'person', happened, at: new Date().toISOString() } as const;
    run.outbox.resolution(resolution);
    run.record('step-processor', StreamEventType.WORKFLOW_RESUMED, {
      message: `A person says that ${unknownOutcomeName(unknown)} ${happened ? 'happened' : 'did not happen'}.`,
      details: { resolved: resolution },
    });
    run.setStatus(SessionStatus.ACTIVE);
    await run.publish('go on with the answer');
    return happened;
  }

  private async answerOf(unknown: UnknownOutcome): Promise<boolean> {
    const { run } = this;
    const waitingFor: WaitingFor = { pausedFor: 'unknown-outcome', unknown };
    const how = `Look for it, then answer with: ${resolveUnknownCommand(run.sessionId, unknown.commandId)}`;
    run.record('step-processor', StreamEventType.WORKFLOW_PAUSED, {
      message: `${describeUnknownOutcome(unknown)} ${how}`,
      details: waitingFor,
    });
    run.outbox.patchRow({ waitingFor });
    run.setStatus(SessionStatus.PAUSED);
    await run.publish(`ask a person about ${unknownOutcomeName(unknown)}`.slice(0, 200));
    await waitOutPause(run, () => this.state.kind !== 'answered');
    return this.state.kind === 'answered' && this.state.happened;
  }
}
