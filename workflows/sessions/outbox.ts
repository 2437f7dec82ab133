import { workflowInfo } from '@temporalio/workflow';
import type { Approval } from '../../contracts/approvals/approval';
import type { Revocation } from '../../contracts/approvals/remembered-approval';
import type { AppliedOrder } from '../../contracts/sessions/order';
import type { OutboxBatch, ResolvedUnknown, RowPatch, StepSummary } from '../../contracts/sessions/outbox';
import type { StreamEventData } from '../../contracts/events/stream-event';
import type { ModuleId } from '../../contracts/events/event-definition';
import type { NewRecord, RecordType } from '../../contracts/events/log';

/**
 * What the workflow has decided but not yet written. Each activity takes the pending batch along and writes it first. The
 * workflow drops a batch only when its activity has succeeded; event ids make a second delivery harmless.
 */
export class Outbox {
  private records: NewRecord[] = [];
  private patch: RowPatch = {};
  private stepResults: StepSummary[] = [];
  private resolutions: ResolvedUnknown[] = [];
  private approvals: Approval[] = [];
  private revocations: Revocation[] = [];
  private orders: AppliedOrder[] = [];
  private recordCount = 0;
  private batchCount = 0;

  record(
    owner: ModuleId,
    type: RecordType,
    data: StreamEventData,
    stepIndex?: number,
    more: Pick<NewRecord, 'turn' | 'facts'> = {},
  ): void {
    this.recordCount += 1;
    this.records.push({
      // Of the run that allocates the number, so that a reset run can't repeat an id.
      eventId: `${workflowInfo().runId}/${this.recordCount}`,
      owner,
      type,
      at: new Date().toISOString(),
      ...(stepIndex === undefined ? {} : { stepIndex }),
      data,
      ...more,
    });
  }

  patchRow(patch: RowPatch): void {
    this.patch = { ...this.patch, ...patch };
  }

  stepResult(result: StepSummary): void {
    this.stepResults.push(result);
  }

  resolution(resolution: ResolvedUnknown): void {
    this.resolutions.push(resolution);
  }

  /** A later state of the same approval replaces the one that is pending. */
  approval(approval: Approval): void {
    this.approvals = [...this.approvals.filter((each) => each.approvalId !== approval.approvalId), approval];
  }

  revocation(revocation: Revocation): void {
    this.revocations.push(revocation);
  }

  /** An order that was applied: its row gets the answer, whoever else has heard it. */
  order(order: AppliedOrder): void {
    this.orders.push(order);
  }

  /** Applied orders that are not written yet. */
  get pendingOrders(): readonly AppliedOrder[] {
    return this.orders;
  }

  /** Hands the pending batch to `deliver` and drops it once that has succeeded. */
  async flushWith<T>(deliver: (batch: OutboxBatch) => Promise<T>): Promise<T> {
    this.batchCount += 1;
    const isPatched = Object.keys(this.patch).length > 0;
    const batch: OutboxBatch = {
      records: [...this.records],
      patch: isPatched ? { ...this.patch, number: this.batchCount } : {},
      stepResults: [...this.stepResults],
      ...(this.resolutions.length === 0 ? {} : { resolutions: [...this.resolutions] }),
      ...(this.approvals.length === 0 ? {} : { approvals: [...this.approvals] }),
      ...(this.revocations.length === 0 ? {} : { revocations: [...this.revocations] }),
      ...(this.orders.length === 0 ? {} : { orders: [...this.orders] }),
    };
    const result = await deliver(batch);
    this.records = this.records.filter((record) => !batch.records.includes(record));
    this.stepResults = this.stepResults.filter((step) => !batch.stepResults.includes(step));
    this.resolutions = this.resolutions.filter((each) => !batch.resolutions?.includes(each));
    this.approvals = this.approvals.filter((each) => !batch.approvals?.includes(each));
    this.revocations = this.revocations.filter((each) => !batch.revocations?.includes(each));
    this.orders = this.orders.filter((each) => !batch.orders?.includes(each));
    const delivered = batch.patch as Record<string, unknown>;
    const pending = Object.entries(this.patch).filter(([key, value]) => delivered[key] !== value);
    this.patch = Object.fromEntries(pending) as RowPatch;
    return result;
  }
}
