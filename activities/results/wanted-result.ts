import type { ResultRequest } from '../../contracts/results/result-request';
import type { Store } from '../../store/store';

/** The result that a step is to return; undefined where it is to return none. */
export async function wantedResult(
  { sessions }: Pick<Store, 'sessions'>,
  sessionId: string,
  stepIndex: number,
): Promise<ResultRequest | undefined> {
  return (await sessions.get(sessionId))?.plan.steps[stepIndex]?.task?.result;
}
