import type { StandardError } from '../../contracts/errors/standard-error';
import { checkSite } from '../sessions/check-site';
import { recordFinding } from '../sessions/resolve-unknown';
import type { SessionRun } from '../sessions/session-run';
import { applyVerdict } from '../sessions/step-verdict';

/** A step that ends before it has begun: done already where it has no error. */
interface EndBefore {
  error: StandardError | undefined;
  reason: string;
}

/**
 * Looks whether what the step does is on the site already, where its check is to be made before. Undefined where it is not, so
 * that the step is done; where that can't be said, it fails with nothing done.
 */
export async function checkBefore(run: SessionRun): Promise<EndBefore | undefined> {
  const { session } = run;
  const { index: stepIndex, current } = session.steps;
  const { check, once } = current;
  if (check?.before !== true) return undefined;
  const { seen, ...found } = await checkSite(run, check, { stepIndex, turn: 0 }, 1);
  const evidence = { check: { seen, ...found } };
  if (found.finding === 'not-there') {
    recordFinding(run, stepIndex, `The site shows that this step is still to be done. ${seen}`, evidence);
    return undefined;
  }
  if (found.finding === 'found') {
    const reason = `Already done: ${seen} Nothing was done again.`;
    recordFinding(run, stepIndex, `The site shows that this step was done before. ${seen}`, evidence);
    return { error: applyVerdict(session, stepIndex, { isDone: once?.whenDone !== 'fail', reason }), reason };
  }
  const reason = `The site did not show whether this step was done before, so nothing was done. ${seen}`;
  return { error: session.error('TL005', reason, { stepIndex, details: evidence }), reason };
}
