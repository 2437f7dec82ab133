import { CancellationScope, sleep } from '@temporalio/workflow';
import { approvalCommand, type Approval, type DecideApprovalRequest } from '../../contracts/approvals/approval';
import {
  describeRemembered,
  revokeCommand,
  type RememberedApproval,
  type RevokeApprovalRequest,
  type StandingApproval,
} from '../../contracts/approvals/remembered-approval';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { cancelledSummary } from '../../contracts/tools/call-cancellation';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import type { SessionBrowser } from '../browsers/session-browser';
import type { RunningSession } from '../state/session-state';

/** How a question ended. `expired`: nobody refused it; `withdrawn`: its call alone was cancelled. */
export type ApprovalAnswer =
  { kind: 'decided'; decision: DecideApprovalRequest } | { kind: 'expired' } | { kind: 'withdrawn' };

/** Calls that wait for a person's approval: the session waits until each has its answer, or for approvalTimeoutMs. */
export class PendingApprovals {
  private readonly open = new Map<string, Approval>();
  private readonly answers = new Map<string, ApprovalAnswer>();
  /** As they ended, for what is known of them later. */
  private readonly answered = new Map<string, Approval>();
  private standing: readonly StandingApproval[];

  constructor(
    private readonly session: RunningSession,
    private readonly browser: SessionBrowser,
    remembered: readonly StandingApproval[] = [],
  ) {
    this.standing = remembered;
  }

  /** Approvals that people gave for the rest of the session. */
  get remembered(): readonly StandingApproval[] {
    return this.standing;
  }

  get pending(): Approval[] {
    return [...this.open.values()];
  }

  /** Lets the calls run that the answer about this call covers, for the rest of the session. */
  remember(callId: string, remembered: RememberedApproval): void {
    const approval = this.answerAbout(callId);
    this.standing = [...this.standing, { ...remembered, approvalId: approval?.approvalId }];
    if (approval === undefined) return;
    this.answered.set(approval.approvalId, { ...approval, remembered });
    this.session.outbox.approval({ ...approval, remembered });
    const { approvalId, callId: id, stepIndex } = approval;
    const message = `From now on this runs without a question: ${describeRemembered(remembered)}. Revoke it with: ${revokeCommand(approvalId)}`;
    const details = { approvalId, callId: id, remembered };
    this.session.record('executor-streamer', StreamEventType.SESSION_STATUS, { message, details }, stepIndex);
  }

  /** Asks again from now on about the calls that this answer covered. The caller has checked that it covers some. */
  revoke({ approvalId, by }: RevokeApprovalRequest): void {
    const remembered = this.standing.find((each) => each.approvalId === approvalId)!;
    this.standing = this.standing.filter((each) => each !== remembered);
    this.session.outbox.revocation({ approvalId, by, at: new Date().toISOString() });
    const message = `${by ?? 'A person'} has revoked an approval. This waits for an answer again: ${describeRemembered(remembered)}.`;
    const details = { approvalId, revoked: true, by };
    this.session.record('executor-streamer', StreamEventType.SESSION_STATUS, { message, details });
  }

  /** Takes the answer. The caller has checked that it is one of those that are waited for. */
  answer(decision: DecideApprovalRequest): void {
    const { approvalId, outcome, reason, by } = decision;
    const status = outcome === ToolConfirmationOutcome.Cancel ? 'rejected' : 'approved';
    this.recordAnswer(approvalId, { status, outcome, reason, by });
    this.close(approvalId, { status, outcome, reason, by });
    this.answers.set(approvalId, { kind: 'decided', decision });
  }

  /** Closes the question about a call that was cancelled. */
  withdraw(callId: string, reason: string): void {
    for (const { approvalId } of this.pending.filter((each) => each.callId === callId)) {
      this.close(approvalId, { status: 'cancelled', reason: cancelledSummary(reason) });
      this.answers.set(approvalId, { kind: 'withdrawn' });
    }
  }

  /** Asks for all of these, of one turn of a step, at once and resolves to their answers when the last is in. */
  async ask(questions: readonly Approval[], turn: number): Promise<Map<string, ApprovalAnswer>> {
    const { session } = this;
    session.clock.stop();
    for (const question of questions) this.announce(question, turn);
    session.patchStatus(SessionStatus.PAUSED);
    try {
      await this.allAnswered(questions);
    } finally {
      for (const { approvalId } of questions)
        this.close(approvalId, { status: 'cancelled', reason: 'The session, or the response, was cancelled.' });
      session.clock.start();
      if (!session.isCancelled) session.setStatus(SessionStatus.ACTIVE);
    }
    await session.publish('go on with the answer');
    const answers = questions.map(({ approvalId }) => [approvalId, this.answers.get(approvalId)!] as const);
    for (const { approvalId } of questions) this.answers.delete(approvalId);
    return new Map(answers);
  }

  private async allAnswered(questions: readonly Approval[]): Promise<void> {
    const { approvalTimeoutMs } = this.session.config.agent;
    const expiry = new CancellationScope({ cancellable: true });
    if (approvalTimeoutMs !== undefined) {
      const expire = async (): Promise<void> => {
        await sleep(approvalTimeoutMs, { summary: 'the question expires' });
        for (const { approvalId } of questions) this.expire(approvalId);
      };
      expiry.run(expire).catch(() => {});
    }
    const openCount = (): number => questions.filter(({ approvalId }) => this.open.has(approvalId)).length;
    try {
      for (let before = openCount(); before > 0; before = openCount()) {
        const names = questions.map(({ toolName }) => toolName).join(', ');
        await this.session.publish(`ask a person about ${names}`.slice(0, 200));
        await this.browser.waitWhile(() => openCount() === before);
      }
    } finally {
      expiry.cancel();
    }
  }

  private announce(approval: Approval, turn: number): void {
    const { outbox } = this.session;
    const { approvalId, callId, toolName, args, classification, card, stepIndex } = approval;
    this.open.set(approvalId, approval);
    this.showQuestions();
    outbox.approval(approval);
    const changed = approval.changes === undefined ? '' : ` ${approval.changes.join(' ')}`;
    const message = `${card.title}${changed} Answer with: ${approvalCommand(approvalId)}`;
    const details = { status: SessionStatus.PAUSED, pausedFor: 'approval', approvalId, callId, toolName };
    outbox.record('executor-streamer', StreamEventType.SESSION_STATUS, { message, details }, stepIndex, {
      turn,
      facts: { kind: 'approval', approvalId, callId, toolName, args, classification, card },
    });
  }

  private expire(approvalId: string): void {
    const approval = this.open.get(approvalId);
    if (approval === undefined) return;
    const { card, callId, toolName, stepIndex } = approval;
    const message = `${card.title} Nobody has answered in time, so it has expired.`;
    const details = { approvalId, callId, toolName, answer: 'expired' };
    this.session.record('executor-streamer', StreamEventType.SESSION_STATUS, { message, details }, stepIndex);
    this.close(approvalId, { status: 'expired', reason: 'Nobody answered in time.' });
    this.answers.set(approvalId, { kind: 'expired' });
  }

  /** Adds the arguments that a person has put in place of the model's, without secrets. */
  noteEdit(callId: string, editedArgs: Record<string, unknown>): void {
    const approval = this.answerAbout(callId);
    if (approval === undefined) return;
    this.session.outbox.approval({ ...approval, editedArgs });
    const { approvalId, stepIndex } = approval;
    const details = { approvalId, callId, editedArgs };
    const message = `${approval.card.title} It was approved with other arguments: ${JSON.stringify(editedArgs)}`;
    this.session.record('executor-streamer', StreamEventType.SESSION_STATUS, { message, details }, stepIndex);
  }

  /** The newest answer about a call. */
  private answerAbout(callId: string): Approval | undefined {
    return [...this.answered.values()].findLast((each) => each.callId === callId);
  }

  private recordAnswer(approvalId: string, answer: Pick<Approval, 'status' | 'outcome' | 'reason' | 'by'>): void {
    const approval = this.open.get(approvalId);
    if (approval === undefined) return;
    const { card, callId, toolName, stepIndex } = approval;
    const { status, outcome, reason, by = 'a person' } = answer;
    const why = reason === undefined || reason === '' ? '' : `: ${reason}`;
    const message = `${card.title} ${by} has ${status} it (${outcome})${why}`;
    const details = { approvalId, callId, toolName, answer: status, outcome, by, reason };
    this.session.record('executor-streamer', StreamEventType.SESSION_STATUS, { message, details }, stepIndex);
  }

  private close(approvalId: string, end: Pick<Approval, 'status' | 'outcome' | 'reason' | 'by'>): void {
    const approval = this.open.get(approvalId);
    if (approval === undefined) return;
    this.open.delete(approvalId);
    this.showQuestions();
    const ended = { ...approval, ...end, decidedAt: new Date().toISOString() };
    this.answered.set(approvalId, ended);
    this.session.outbox.approval(ended);
  }

  private showQuestions(): void {
    const lines = this.pending.map(
      ({ card, toolName, approvalId }) => `${toolName}: ${card.title} Answer with \`${approvalCommand(approvalId)}\``,
    );
    this.session.details.setQuestion('approval', lines);
  }
}
