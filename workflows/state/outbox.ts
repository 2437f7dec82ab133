import { workflowInfo } from '@temporalio/workflow';
import type { Approval } from '../../contracts/approvals/approval';
import type { Revocation } from '../../contracts/approvals/remembered-approval';
import type { AppliedMessage } from '../../contracts/messages/control-message';
import type { KnownWrites, OutboxBatch, ResolvedUnknown, RowPatch, StepSummary } from '../../contracts/events/outbox';
import type { StreamEventData } from '../../contracts/events/stream-event';
import type { ModuleId } from '../../contracts/modules/module-id';
import { recordIdOf, type NewRecord, type RecordType } from '../../contracts/events/log';

/** What is written again after a loss: so many of the newest. */
const REMEMBERED = 50;
/** A database that is behind again and again is not waited for. */
const MOST_RECOVERIES = 5;

/**
 * What the workflow has decided but not yet written. Each activity takes the pending batch along and writes it first. The
 * workflow drops a batch only when its activity has succeeded, so that no event is lost while the database is away; event ids
 * make a second delivery harmless.
 */
export class Outbox {
  private records: NewRecord[] = [];
  private patch: RowPatch = {};
  private stepResults: StepSummary[] = [];
  private resolutions: ResolvedUnknown[] = [];
  private approvals: Approval[] = [];
  private revocations: Revocation[] = [];
  private messages: AppliedMessage[] = [];
  /** The newest of what was delivered, in case the database forgets it. */
  private readonly delivered = { records: [] as NewRecord[], stepResults: [] as StepSummary[], row: {} as RowPatch };
  private readonly newestApprovals = new Map<string, Approval>();
  private readonly known: KnownWrites = {};
  private recover: (error: unknown) => Promise<void> | undefined = () => undefined;
  private readonly recordCounts = new Map<string, number>();
  private batchCount = 0;

  record(
    owner: ModuleId,
    type: RecordType,
    data: StreamEventData,
    stepIndex?: number,
    more: Pick<NewRecord, 'turn' | 'facts'> = {},
  ): void {
    this.records.push({
      eventId: this.nextId(type, stepIndex),
      owner,
      type,
      at: new Date().toISOString(),
      ...(stepIndex === undefined ? {} : { stepIndex }),
      data,
      ...more,
    });
  }

  /**
   * Counts by type and step, in the run that the history began with: a run that is started over by the engine gives what it
   * repeats the same id, and what is new another.
   */
  private nextId(type: RecordType, stepIndex: number | undefined): string {
    const kind = kindOf(type, stepIndex);
    this.recordCounts.set(kind, (this.recordCounts.get(kind) ?? 0) + 1);
    return this.idAhead(type, stepIndex, 0);
  }

  /** The id that a record gets after so many others of its kind; that of the newest for 0. */
  idAhead(type: RecordType, stepIndex: number | undefined, others: number): string {
    const number = (this.recordCounts.get(kindOf(type, stepIndex)) ?? 0) + others;
    return recordIdOf(workflowInfo().originalExecutionRunId, type, stepIndex, number);
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
    this.newestApprovals.delete(approval.approvalId);
    this.newestApprovals.set(approval.approvalId, approval);
    this.approvals = [...this.approvals.filter((each) => each.approvalId !== approval.approvalId), approval];
  }

  revocation(revocation: Revocation): void {
    this.revocations.push(revocation);
  }

  /** A message that was applied: its row gets the answer, whoever else has heard it. */
  message(message: AppliedMessage): void {
    this.messages.push(message);
  }

  /** Applied messages that are not written yet. */
  get pendingMessages(): readonly AppliedMessage[] {
    return this.messages;
  }

  /** The database has the outcome of this command. */
  hasReported(commandId: string): void {
    this.known.commandId = commandId;
  }

  /** `recover` resolves when a database that was found behind has what it had forgotten; undefined for any other failure. */
  recoverWith(recover: (error: unknown) => Promise<void> | undefined): void {
    this.recover = recover;
  }

  /** What the database may have forgotten, and what is pending: the newest of it, as a batch of its own. */
  everything(row: RowPatch): OutboxBatch {
    this.batchCount = nextNumber(this.batchCount);
    return this.remembered(row);
  }

  /** The same, as of the last batch. Changes nothing. */
  remembered(row: RowPatch): OutboxBatch {
    const { delivered, patch } = this;
    return {
      records: [...delivered.records, ...this.records],
      patch: { ...delivered.row, ...row, ...patch, number: this.batchCount },
      stepResults: [...delivered.stepResults, ...this.stepResults],
      approvals: [...this.newestApprovals.values()].slice(-REMEMBERED),
      known: { ...this.known, historyLength: workflowInfo().historyLength },
    };
  }

  /**
   * Hands the pending batch to `deliver` and drops it once that has succeeded. Where the database was behind, it is recovered,
   * and the batch is handed over again.
   */
  async flushWith<T>(deliver: (batch: OutboxBatch) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const batch = this.nextBatch();
      let result: T;
      try {
        result = await deliver(batch);
      } catch (error) {
        const recovered = tries > MOST_RECOVERIES ? undefined : this.recover(error);
        if (recovered === undefined) throw error;
        await recovered;
        continue;
      }
      this.drop(batch);
      return result;
    }
  }

  /** Does what writes without a batch, again where the database was behind. */
  async withRecovery<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const recovered = tries > MOST_RECOVERIES ? undefined : this.recover(error);
        if (recovered === undefined) throw error;
        await recovered;
      }
    }
  }

  private nextBatch(): OutboxBatch {
    this.batchCount = nextNumber(this.batchCount);
    const isPatched = Object.keys(this.patch).length > 0;
    const { continuedFromExecutionRunId: continuedFrom, historyLength } = workflowInfo();
    return {
      records: [...this.records],
      patch: isPatched ? { ...this.patch, number: this.batchCount } : {},
      stepResults: [...this.stepResults],
      ...(this.resolutions.length === 0 ? {} : { resolutions: [...this.resolutions] }),
      ...(this.approvals.length === 0 ? {} : { approvals: [...this.approvals] }),
      ...(this.revocations.length === 0 ? {} : { revocations: [...this.revocations] }),
      ...(this.messages.length === 0 ? {} : { messages: [...this.messages] }),
      known: { ...this.known, historyLength, ...(continuedFrom === undefined ? {} : { continuedFrom }) },
    };
  }

  /** Remembers what `work` records, at once: a worker has written it meanwhile, under the ids that it gets here. */
  addWritten(work: () => void): void {
    const { records, stepResults, patch } = this;
    Object.assign(this, { records: [], stepResults: [], patch: {} });
    work();
    this.remember({ records: this.records, stepResults: this.stepResults, patch: this.patch });
    Object.assign(this, { records, stepResults, patch });
  }

  private remember({ records, stepResults, patch }: Pick<OutboxBatch, 'records' | 'stepResults' | 'patch'>): void {
    const newest = records.at(-1)?.eventId;
    if (newest !== undefined) this.known.recordId = newest;
    const { delivered: kept } = this;
    kept.records = [...kept.records, ...records].slice(-REMEMBERED);
    kept.stepResults = [...kept.stepResults, ...stepResults].slice(-REMEMBERED);
    Object.assign(kept.row, patch);
  }

  private drop(batch: OutboxBatch): void {
    this.remember(batch);
    this.records = this.records.filter((record) => !batch.records.includes(record));
    this.stepResults = this.stepResults.filter((step) => !batch.stepResults.includes(step));
    this.resolutions = this.resolutions.filter((each) => !batch.resolutions?.includes(each));
    this.approvals = this.approvals.filter((each) => !batch.approvals?.includes(each));
    this.revocations = this.revocations.filter((each) => !batch.revocations?.includes(each));
    this.messages = this.messages.filter((each) => !batch.messages?.includes(each));
    const written = batch.patch as Record<string, unknown>;
    const pending = Object.entries(this.patch).filter(([key, value]) => written[key] !== value);
    this.patch = Object.fromEntries(pending) as RowPatch;
  }
}

function kindOf(type: RecordType, stepIndex: number | undefined): string {
  return stepIndex === undefined ? type : `${type}/${stepIndex}`;
}

/** Grows with the time too: a workflow that Temporal has put back to an earlier time does not count behind itself. */
function nextNumber(number: number): number {
  return Math.max(number + 1, Date.now());
}
