import type { PlannedCall } from '../../contracts/tools/planned-call';
import { runCommandBatch } from '../sessions/run-batch';
import { planActivities } from '../proxies/task-proxies';
import type { SessionRun } from '../sessions/session-run';
import type { TaskProgress } from '../turns/task-progress';

/** More commands in a row than this lead to no dialog. */
const MOST_COMMANDS = 5;

/**
 * Leads a restored page back to where a call was approved, by the session's own harmless commands. Resolves to the call as
 * it is planned there; undefined where no way leads there.
 */
export async function leadBack(
  run: SessionRun,
  { stepIndex, turn }: Pick<TaskProgress, 'stepIndex' | 'turn'>,
  call: PlannedCall,
  planAnew: () => Promise<PlannedCall>,
): Promise<PlannedCall | undefined> {
  if (call.run.kind !== 'browser') return undefined;
  let after: string | undefined;
  for (let count = 1; count <= MOST_COMMANDS; count += 1) {
    const { command, repeats } = await planActivities('find the way back').planWayBack({
      sessionId: run.session.id,
      commandId: call.run.command.commandId,
      ...(after === undefined ? {} : { after }),
    });
    if (command === undefined) return undefined;
    after = repeats;
    const batch = await runCommandBatch(run, [command], { stepIndex, turn });
    run.task.turns.check();
    if (typeof batch === 'string' || batch.outcomes[0]?.status !== 'done') return undefined;
    run.browser.setPage(batch.page);
    const planned = await planAnew();
    if (planned.run.kind !== 'refused') return planned;
  }
  return undefined;
}
