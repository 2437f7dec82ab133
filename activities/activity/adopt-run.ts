import { StoreRefusal } from '../../store/database/refusals';
import type { ActivityCall } from './activity';

/** The run of the workflow that has called an activity. */
export type CallingRun = Pick<ActivityCall, 'workflowId' | 'runId'>;

/**
 * Makes the run the one that writes for its session, where Temporal has reset the workflow to it. Resolves to whether it is;
 * never of a session that has ended.
 */
export type AdoptRun = (run: CallingRun) => Promise<boolean>;

/** Does the work once more where its run was refused, because the run that it was reset from had the session. */
export async function againAfterReset<T>(
  adoptRun: AdoptRun | undefined,
  run: CallingRun,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isSuperseded = error instanceof StoreRefusal && error.reason === 'superseded';
    if (!isSuperseded || (await adoptRun?.(run)) !== true) throw error;
  }
  return await work();
}
