import { CancellationScope, sleep } from '@temporalio/workflow';
import { approvalCommand, type Approval, type DecideApprovalRequest } from '../../contracts/approvals/approval';
import { cancelledSummary } from '../../contracts/tools/call-cancellation';
import type { RememberedApproval } from '../../contracts/approvals/approval-policy';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { ToolConfirmationOutcome } from '../../contracts/tools/tool';
import { waitOutPause } from '../browsers/release';
import type { SessionRun } from '../sessions/session-run';

/** What came of a question: an expiry is nobody's refusal; `withdrawn`: its call was cancelled on its own. */
export type ApprovalAnswer =
  { kind: 'decided'; decision: DecideApprovalRequest } | { kind: 'expired' } | { kind: 'withdrawn' };

/** Calls that wait for a person: the session stands still until each has its answer, however long that takes. */
export class PendingApprovals {
  /** What people wished to be kept for the rest of the session. */
  kept: RememberedApproval[] = [];
  private readonly open = new Map<string, Approval>();
  private readonly answers = new Map<string, ApprovalAnswer>();

  constructor(private readonly run: SessionRun) {}

  get pending(): Approval[] {
    return [...this.open.values()];
  }

  /** The first answer counts; whoever calls has made sure that this one is waited for. */
  answer(decision: DecideApprovalRequest): void {
    const { approvalId, outcome, reason } = decision;
    const isRejected = outcome === ToolConfirmationOutcome.Cancel;
    this.close(approvalId, { status: isRejected ? 'rejected' : 'approved', outcome, reason });
    this.answers.set(approvalId, { kind: 'decided', decision });
  }

  /** Nobody has to answer any more for a call that is not wanted. */
  withdraw(callId: string, reason: string): void {
    for (const { approvalId } of this.pending.filter((each) => each.callId === callId)) {
      this.close(approvalId, { status: 'cancelled', reason: cancelledSummary(reason) });
      this.answers.set(approvalId, { kind: 'withdrawn' });
    }
  }

  /** Asks for all of these at once and resolves to their answers when the last is in. */
  async ask(questions: readonly Approval[]): Promise<Map<string, ApprovalAnswer>> {
    const { run } = this;
    run.clock.stop();
    for (const question of questions) this.announce(question);
    run.patchStatus(SessionStatus.PAUSED);
    try {
      await this.allAnswered(questions);
    } finally {
      for (const { approvalId } of questions)
        this.close(approvalId, { status: 'cancelled', reason: 'The session, or the response, was cancelled.' });
      run.clock.start();
      if (!run.root.consideredCancelled) run.setStatus(SessionStatus.ACTIVE);
    }
    await run.publish('go on with the answer');
    const given = questions.map(({ approvalId }) => [approvalId, this.answers.get(approvalId)!] as const);
    for (const { approvalId } of questions) this.answers.delete(approvalId);
    return new Map(given);
  }

  private async allAnswered(questions: readonly Approval[]): Promise<void> {
    const { run } = this;
    const { approvalTimeoutMs } = run.config.agent;
    const expiry = new CancellationScope({ cancellable: true });
    if (approvalTimeoutMs !== undefined) {
      const expire = async (): Promise<void> => {
        await sleep(approvalTimeoutMs, { summary: 'the question expires' });
        for (const { approvalId } of questions) this.expire(approvalId);
      };
      expiry.run(expire).catch(() => {});
    }
    const left = (): number => questions.filter(({ approvalId }) => this.open.has(approvalId)).length;
    try {
      for (let before = left(); before > 0; before = left()) {
        const names = questions.map(({ toolName }) => toolName).join(', ');
        await run.publish(`ask a person about ${names}`.slice(0, 200));
        await waitOutPause(run, () => left() === before);
      }
    } finally {
      expiry.cancel();
    }
  }

  private announce(approval: Approval): void {
    const { run } = this;
    const { approvalId, callId, toolName, args, classification, card, stepIndex, turn } = approval;
    this.open.set(approvalId, approval);
    run.outbox.approval(approval);
    const message = `${card.title} Answer with: ${approvalCommand(approvalId)}`;
    const details = { status: SessionStatus.PAUSED, pausedFor: 'approval', approvalId, callId, toolName };
    run.outbox.record('executor-streamer', StreamEventType.SESSION_STATUS, { message, details }, stepIndex, {
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
    this.run.outbox.approval({ ...approval, ...end, decidedAt: new Date().toISOString() });
  }
}
