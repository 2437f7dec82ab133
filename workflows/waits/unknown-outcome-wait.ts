import {
  resolveUnknownCommand,
  unknownOutcomeName,
  describeUnknownOutcome,
  type ResolveUnknownRequest,
  type UnknownOutcome,
} from '../../contracts/approvals/unknown-outcome';
import type { WaitingFor } from '../../contracts/approvals/waiting-for';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import type { SessionBrowser } from '../browsers/session-browser';
import type { RunningSession } from '../state/session-state';

type WaitState =
  { kind: 'none' } | { kind: 'waiting'; unknown: UnknownOutcome } | { kind: 'answered'; happened: boolean };

/** The wait for a person who says whether a commit whose end nobody saw has happened. */
export class UnknownOutcomeWait {
  private state: WaitState = { kind: 'none' };

  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
  ) {}

  /** What a person is asked now. */
  get unknown(): UnknownOutcome | undefined {
    return this.state.kind === 'waiting' ? this.state.unknown : undefined;
  }

  /** Takes the answer. The caller has checked that it is the one that is waited for. */
  answer({ happened }: ResolveUnknownRequest): void {
    this.state = { kind: 'answered', happened };
  }

  /**
   * Resolves to what a person says. The question is published with the row that shows it, the answer with its note in the
   * journal; `seen` is what the check of the step has seen in vain. A pause that is requested meanwhile begins at the next
   * safe point, so nothing starts between the two.
   */
  async ask(unknown: UnknownOutcome, seen?: string): Promise<boolean> {
    const { session } = this;
    const { outbox, clock } = session;
    const command = resolveUnknownCommand(session.id, unknown.commandId);
    const asked = seen === undefined ? unknown : { ...unknown, seen };
    const waitingFor: WaitingFor = { pausedFor: 'unknown-outcome', unknown: asked };
    this.state = { kind: 'waiting', unknown: asked };
    const question = describeUnknownOutcome(asked);
    clock.stop();
    session.details.setQuestion('unknown-outcome', [question, `Answer with \`${command}\``]);
    let happened: boolean;
    try {
      session.record('step-processor', StreamEventType.WORKFLOW_PAUSED, {
        message: `${question} Look for it, then answer with: ${command}`,
        details: waitingFor,
      });
      outbox.patchRow({ waitingFor });
      session.setStatus(SessionStatus.PAUSED);
      await session.publish(`ask a person about ${unknownOutcomeName(unknown)}`.slice(0, 200));
      happened = await this.answered();
    } finally {
      // Also when the session is cancelled meanwhile: it asks nobody any more.
      this.state = { kind: 'none' };
      session.details.setQuestion('unknown-outcome');
      outbox.patchRow({ waitingFor: null });
    }
    clock.start();
    const resolution = { commandId: unknown.commandId, by: 'person', happened, at: new Date().toISOString() } as const;
    outbox.resolution(resolution);
    session.record('step-processor', StreamEventType.WORKFLOW_RESUMED, {
      message: `A person says that ${unknownOutcomeName(unknown)} ${happened ? 'happened' : 'did not happen'}.`,
      details: { resolved: resolution },
    });
    session.setStatus(SessionStatus.ACTIVE);
    await session.publish('go on with the answer');
    return happened;
  }

  private async answered(): Promise<boolean> {
    await this.browser.waitWhile(() => this.state.kind !== 'answered');
    return this.state.kind === 'answered' && this.state.happened;
  }
}
