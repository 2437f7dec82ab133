import { workflowInfo } from '@temporalio/workflow';
import type { Approval } from '../../contracts/approvals/approval';
import type { OutboxBatch, ResolvedUnknown, RowPatch, StepSummary } from '../../contracts/sessions/outbox';
import type { StreamEventData } from '../../contracts/events/stream-event';
import type { ModuleId } from '../../contracts/events/event-definition';
import type { NewRecord, RecordType } from '../../contracts/events/log';

/**
 * What the workflow has decided but not yet written. It rides along with the next activity, whose first act is to write
 * it; nothing is dropped before an activity has said so, and event ids make a second delivery harmless.
 */
export class Outbox {
  private records: NewRecord[] = [];
  private patch: RowPatch = {};
  private stepResults: StepSummary[] = [];
  private resolutions: ResolvedUnknown[] = [];
  private approvals: Approval[] = [];
  private count = 0;
  private rides = 0;

  record(
    owner: ModuleId,
    type: RecordType,
    data: StreamEventData,
    stepIndex?: number,
    more: Pick<NewRecord, 'turn' | 'facts'> = {},
  ): void {
    this.count += 1;
    this.records.push({
      // The run that allocates the number, so that a reset run can't repeat an id.
      eventId: `${workflowInfo().runId}/${this.count}`,
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

  /** As it stands now; of the same one the last word counts. */
  approval(approval: Approval): void {
    this.approvals = [...this.approvals.filter((each) => each.approvalId !== approval.approvalId), approval];
  }

  /** Hands what is pending to `deliver` and drops it once that has succeeded. */
  async flushWith<T>(deliver: (outbox: OutboxBatch) => Promise<T>): Promise<T> {
    this.rides += 1;
    const isPatched = Object.keys(this.patch).length > 0;
    const load: OutboxBatch = {
      records: [...this.records],
      patch: isPatched ? { ...this.patch, number: this.rides } : {},
      stepResults: [...this.stepResults],
      ...(this.resolutions.length === 0 ? {} : { resolutions: [...this.resolutions] }),
      ...(this.approvals.length === 0 ? {} : { approvals: [...this.approvals] }),
    };
    const result = await deliver(load);
    this.records = this.records.filter((record) => !load.records.includes(record));
    this.stepResults = this.stepResults.filter((step) => !load.stepResults.includes(step));
    this.resolutions = this.resolutions.filter((each) => !load.resolutions?.includes(each));
    this.approvals = this.approvals.filter((each) => !load.approvals?.includes(each));
    const delivered = load.patch as Record<string, unknown>;
    const kept = Object.entries(this.patch).filter(([key, value]) => delivered[key] !== value);
    this.patch = Object.fromEntries(kept) as RowPatch;
    return result;
  }
}
