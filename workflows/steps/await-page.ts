import type { PageWait } from '../../contracts/sessions/page-wait';
import { SECRET_MARK } from '../../contracts/sessions/resources';
import { conditionOf } from '../../contracts/sessions/step-waits';
import { lookAtPage } from '../sessions/check-site';
import { isContinueAsNewDue } from '../sessions/continue-as-new';
import { observePage } from '../sessions/run-batch';
import type { SessionRun } from '../sessions/session-run';
import { signInAgain } from './sign-in';
import type { StepEnd } from './step-retries';

/**
 * Looks at the page again and again until what the step waits for holds, and fails where it does not in time. The clock stands
 * still: the wait has a limit of its own. `handover`: the next run of the workflow goes on with it.
 */
export async function awaitPage(run: SessionRun, wait: PageWait, startedAtMs: number): Promise<StepEnd | 'handover'> {
  const { session, browser, pageWaits } = run;
  const { index: stepIndex, current } = session.steps;
  const progress = pageWaits.begin(wait, startedAtMs);
  const { condition } = conditionOf(current.instruction);
  const fail = (message: string): StepEnd => ({
    error: session.error('TL004', message, { stepIndex }),
    reasoning: message,
    page: browser.page,
  });
  /** The look that has signed in: one that is asked to again has failed. */
  let signedInFor: number | undefined;
  session.clock.stop('page');
  try {
    for (;;) {
      await pageWaits.untilNextLook();
      const isFirst = progress.looks === 0;
      const found = await lookAtPage(
        run,
        current.instruction,
        stepIndex,
        isFirst ? {} : { isAgain: true, address: progress.address },
      );
      const { signIn } = session.start.plan.profile ?? {};
      if (found.asksToSignIn === true && signIn !== undefined && signedInFor !== progress.looks) {
        signedInFor = progress.looks;
        const tries = { turn: progress.turn, triedFrom: progress.turn };
        const end = await signInAgain(run, tries, signIn);
        progress.turn = tries.turn;
        if (end.error !== undefined) return end;
        continue;
      }
      if (isFirst && found.url !== '' && !found.url.includes(SECRET_MARK)) progress.address = found.url;
      if (found.finding === 'found') {
        pageWaits.end();
        const page = await observePage(run, { stepIndex, turn: progress.turn });
        return { error: undefined, reasoning: found.seen, page };
      }
      if (found.url === 'about:blank' && progress.address === 'about:blank') {
        pageWaits.end();
        return fail('No page is open that could be waited for; open one in a step before this one.');
      }
      if (Date.now() >= progress.endsAtMs) {
        pageWaits.end();
        await observePage(run, { stepIndex, turn: progress.turn });
        return fail(outOfTime(condition, progress.looks + 1, found.seen));
      }
      pageWaits.missed(wait, condition, found);
      if (isContinueAsNewDue()) return 'handover';
    }
  } finally {
    session.clock.start('page');
  }
}

function outOfTime(condition: string, looks: number, seen: string): string {
  const often = looks === 1 ? 'once' : `${looks} times`;
  return `The time for this wait is over, and what it waited for is not so: ${condition}. It was looked for ${often}; the last look: ${seen}`;
}
