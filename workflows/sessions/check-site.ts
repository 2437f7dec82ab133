import { isCancellation, sleep } from '@temporalio/workflow';
import type { LookAgain, LookAtSiteInput, LookAtSiteOutput } from '../../activities/signatures/browser-activities';
import { pauseAfterFailureMs, pauseMs, type SiteCheck, type SiteFinding } from '../../contracts/sessions/site-check';
import { commandActivities } from '../proxies/activity-proxies';
import { applicationFailureOf, errorOf, isLeaseLost, isSuperseded } from '../proxies/failures';
import { atBrowser } from './at-browser';
import { batchLimits, executorOf, observePage } from './run-batch';
import type { SessionRun } from './session-run';

/** A look that loses its browser more often says nothing. */
const MOST_TRIES = 3;

/** The step that asks, and its call. */
export interface Place {
  stepIndex: number;
  turn: number;
}

/**
 * Looks on the site whether what the step does has happened. What is there is found by one look. What is not there has to be
 * missing in `looks` looks over `within`: a site may show it late. As many looks may fail before nothing is known.
 * @param enough how often it has to be missing
 */
export async function checkSite(
  run: SessionRun,
  check: SiteCheck,
  place: Place,
  enough: number = check.looks,
): Promise<SiteFinding> {
  for (let missed = 0, failed = 0; ;) {
    const found = await look(run, { lines: check.lines }, place);
    if (found.finding === 'found') return found;
    if (found.finding === 'not-there') missed += 1;
    else failed += 1;
    if (missed >= enough || failed >= check.looks) return found;
    const delayMs = found.finding === 'not-there' ? pauseMs(check, missed) : pauseAfterFailureMs(failed);
    if (delayMs > 0) await sleep(delayMs, { summary: 'wait before the site is looked at again' });
  }
}

/** Looks whether what a step waits for holds on the page of the session. */
export async function lookAtPage(
  run: SessionRun,
  instruction: string,
  stepIndex: number,
  wait: LookAgain,
): Promise<SiteFinding> {
  return await look(run, { lines: [instruction], wait }, { stepIndex, turn: 0 });
}

type Looking = Pick<LookAtSiteInput, 'lines' | 'wait'>;

/** Looks once, with the browser that the session has or another one that is restored for it. */
async function look(run: SessionRun, looking: Looking, place: Place): Promise<SiteFinding> {
  for (let tries = 1; ; tries += 1) {
    await run.pause.safePoint();
    try {
      // A look at the page restores a browser that is gone.
      if (run.browser.lease === undefined || tries > 1) await observePage(run, place);
      const output = await lookOnce(run, looking, place.stepIndex);
      if (output?.found !== undefined) return output.found;
      // It was stopped by a pause, or by the end of its worker.
      if (output !== undefined) tries -= 1;
    } catch (error) {
      if (isCancellation(error) || isSuperseded(error) || applicationFailureOf(error) === undefined) throw error;
      if (isLeaseLost(error) && tries < MOST_TRIES) continue;
      return { finding: 'unsure', seen: `The look has failed: ${errorOf(error, 'TL005').message}`, url: '' };
    }
  }
}

async function lookOnce(run: SessionRun, looking: Looking, stepIndex: number): Promise<LookAtSiteOutput | undefined> {
  const { session, browser } = run;
  const { lease } = browser;
  if (lease === undefined) return undefined;
  const executor = executorOf(session);
  // A line waits for its page, and then for what it shows; the step may have no time left.
  const limits = { ...batchLimits(session, executor, 2 * looking.lines.length), leftMs: undefined };
  const output = await atBrowser(run, lease, (route) =>
    session.outbox.flushWith((outbox) =>
      commandActivities(
        lease,
        route,
        `look on the ${looking.wait === undefined ? 'site' : 'page'}, for step ${stepIndex + 1}`,
        limits,
      ).lookAtSite({
        sessionId: session.id,
        stepIndex,
        lease,
        executor,
        ...looking,
        outbox,
      }),
    ),
  );
  if (output !== undefined) browser.setLease(output.lease);
  return output;
}
