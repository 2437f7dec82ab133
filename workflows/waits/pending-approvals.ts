import { CancellationScope, sleep } from '@temporalio/workflow';
import { approvalCommand, type Approval, type DecideApprovalRequest } from '../../contracts/approvals/approval';
import type { RememberedApproval } from '../../contracts/approvals/approval-policy';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { cancelledSummary } from '../../contracts/tools/call-cancellation';
import { ToolConfirmationOutcome } from '../../contracts/tools/tool';
import type { SessionBrowser } from '../browsers/session-browser';
import type { SessionState } from '../sessions/session-state';

/** How a question ended. `expired`: nobody refused it; `withdrawn`: its call alone was cancelled. */
export type ApprovalAnswer =
  { kind: 'decided'; decision: DecideApprovalRequest } | { kind: 'expired' } | { kind: 'withdrawn' };

/** Calls that wait for a person's approval: the session waits until each has its answer, however long that takes. */
export class PendingApprovals {
  private readonly open = new Map<string, Approval>();
  private readonly answers = new Map<string, ApprovalAnswer>();
  private readonly rememberedApprovals: RememberedApproval[];

  constructor(
    private readonly session: SessionState,
    private readonly browser: SessionBrowser,
    remembered: readonly RememberedApproval[] = [],
  ) {
    this.rememberedApprovals = [...remembered];
  }

  /** Approvals that people gave for the rest of the session. */
  get remembered(): readonly RememberedApproval[] {
    return this.rememberedApprovals;
  }

  get pending(): Approval[] {
    return [...this.open.values()];
  }

  remember(approval: RememberedApproval): void {
    this.rememberedApprovals.push(approval);
  }

  /** Takes the answer. The caller has checked that it is one of those that are waited for. */
  answer(decision: DecideApprovalRequest): void {
    const { approvalId, outcome, reason } = decision;
    const isRejected = outcome === ToolConfirmationOutcome.Cancel;
    this.close(approvalId, { status: isRejected ? 'rejected' : 'approved', outcome, reason });
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
    if (!this.open.has(approvalId)) return;
    this.close(approvalId, { status: 'expired', reason: 'Nobody answered in time.' });
    this.answers.set(approvalId, { kind: 'expired' });
  }

  private close(approvalId: string, end: Pick<Approval, 'status' | 'outcome' | 'reason'>): void {
    const approval = this.open.get(approvalId);
    if (approval === undefined) return;
    this.open.delete(approvalId);
    this.showQuestions();
    this.session.outbox.approval({ ...approval, ...end, decidedAt: new Date().toISOString() });
  }

  private showQuestions(): void {
    const lines = this.pending.map(
      ({ card, toolName, approvalId }) => `${toolName}: ${card.title} Answer with \`${approvalCommand(approvalId)}\``,
    );
    this.session.details.setQuestion('approval', lines);
  }
}
