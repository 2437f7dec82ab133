import type { CommandSummary, RunCommandsOutput } from '../../activities/signatures/browser-activities';
import type { PlannedStepCommand } from '../../activities/signatures/task-activities';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { PlannedCall } from '../../contracts/tools/planned-call';
import { planActivities } from '../proxies/task-proxies';
import { runCommandBatch } from '../sessions/run-batch';
import type { SessionRun } from '../sessions/session-run';
import { verdictOf } from '../sessions/step-verdict';
import { CallRecords } from '../tasks/call-records';
import { clearCalls, type Asking } from '../tasks/clear-calls';

type BatchTurn = Parameters<typeof runCommandBatch>[2];
type BatchResult = Awaited<ReturnType<typeof runCommandBatch>>;
type BrowserCall = Extract<PlannedCall['run'], { kind: 'browser' }>;

/** What a person has said no to, or not answered, in words. */
export interface NotApproved {
  notApproved: string;
}

/** Deeds of a step that a person approved and whose page was gone by then: they are not asked about again. */
export class ApprovedDeeds {
  private readonly hashes: string[] = [];

  keep(hash: string): void {
    this.hashes.push(hash);
  }

  /** True once for each that was kept. */
  take(hash: string): boolean {
    const at = this.hashes.indexOf(hash);
    if (at !== -1) this.hashes.splice(at, 1);
    return at !== -1;
  }
}

/**
 * Runs the commands of one reply in their order, and has a person approve each deed among them right before it: what would
 * be sent is on the page by then. The first that is not done ends the batch, as in `runCommandBatch`.
 */
export async function runWithApprovals(
  run: SessionRun,
  commands: readonly PlannedCommand[],
  batchTurn: BatchTurn,
  approved: ApprovedDeeds,
): Promise<BatchResult | NotApproved> {
  const outcomes: CommandSummary[] = [];
  let last: RunCommandsOutput | undefined;
  for (let left = [...commands]; left.length > 0;) {
    const planned = await plan(run, batchTurn, left);
    const unit = left.slice(0, planned.count);
    const batch = planned.asks
      ? await runApproved({ run, batchTurn, unit, approved }, planned.call)
      : await runCommandBatch(run, unit, batchTurn);
    if (typeof batch === 'string' || 'notApproved' in batch) return batch;
    last = batch;
    run.browser.setPage(batch.page);
    outcomes.push(...batch.outcomes);
    left = left.slice(planned.count);
    const isEnded = batch.outcomes.some((each) => each.status !== 'done' || each.isNavigationBlocked === true);
    if (!isEnded && batch.problem === undefined && verdictOf(batch) === undefined) continue;
    outcomes.push(...left.map(({ commandId }): CommandSummary => ({ commandId, status: 'skipped' })));
    break;
  }
  return { ...last!, outcomes };
}

interface Unit {
  run: SessionRun;
  batchTurn: BatchTurn;
  /** The deed, after the answers of its dialogs. */
  unit: readonly PlannedCommand[];
  approved: ApprovedDeeds;
}

/** Where something else would have left than was approved, a person is asked once more, about that. */
async function runApproved(context: Unit, call: PlannedCall): Promise<BatchResult | NotApproved> {
  const first = await askAndRun(context, call, []);
  if (typeof first === 'string' || 'notApproved' in first) return first;
  const differences = first.outcomes.at(-1)?.differences;
  if (differences === undefined || first.outcomes.at(-1)?.status !== 'failed') return first;
  context.run.browser.setPage(first.page);
  const again = await askAndRun(context, { ...call, isAskedAgain: true }, differences);
  if (typeof again === 'string' || 'notApproved' in again) return again;
  const ids = context.unit.map(({ commandId }) => commandId);
  return { ...again, outcomes: again.outcomes.map((each, index) => ({ ...each, commandId: ids[index]! })) };
}

async function askAndRun(
  { run, batchTurn, unit, approved }: Unit,
  call: PlannedCall,
  differences: string[],
): Promise<BatchResult | NotApproved> {
  const { stepIndex, turn } = batchTurn;
  const progress: Asking = {
    stepIndex,
    turn,
    // A commit whose outcome is unknown is judged, or asked about, before another one runs.
    doubtOf: () => undefined,
    takeApproved: (hash) => approved.take(hash),
    keepApproved: (hash) => approved.keep(hash),
  };
  const { isAskedAgain } = call;
  const before = run.browser.lease?.browserId;
  const planAnew = async (): Promise<PlannedCall> => (await plan(run, batchTurn, unit, isAskedAgain)).call;
  const [clearance] = await clearCalls({ run, progress, planAnew }, [call], () => {}, differences);
  if (clearance === undefined) return 'stopped';
  if (clearance.kind === 'run') {
    const now = run.browser.lease?.browserId;
    if (before !== undefined && now !== undefined && now !== before) {
      // Another Chrome was restored meanwhile: what was filled in is done again first, and nobody is asked twice.
      approved.keep(clearance.call.hash);
      return 'browser-lost';
    }
    const { command } = clearance.call.run as BrowserCall;
    return await runCommandBatch(run, [...unit.slice(0, -1), command], batchTurn);
  }
  new CallRecords(run.session, progress).unrun(clearance.call, clearance.summary, clearance.text);
  // The page that was approved is gone: the model decides anew on the one that is there.
  if (clearance.status === 'error') return 'page-replaced';
  return { notApproved: `${call.summary ?? call.name}: ${clearance.summary}. It was not done.` };
}

async function plan(
  run: SessionRun,
  { stepIndex, turn }: BatchTurn,
  commands: readonly PlannedCommand[],
  isAskedAgain?: true,
): Promise<PlannedStepCommand> {
  return await planActivities('what a person is asked').planStepCommand({
    sessionId: run.session.id,
    stepIndex,
    turn,
    commands: [...commands],
    ...(isAskedAgain === undefined ? {} : { isAskedAgain }),
  });
}
