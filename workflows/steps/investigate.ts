import { isCancellation } from '@temporalio/workflow';
import type { ExploreOutput } from '../../activities/browser-activities';
import type { AssessOutput } from '../../activities/engine-activities';
import type { SessionConfig } from '../../contracts/sessions/config';
import {
  INVESTIGATION_LIMIT_MS,
  PHASES,
  investigationIdOf,
  type InvestigationPhase,
} from '../../contracts/steps/investigation';
import { ActiveTimeUp, withinActiveTime } from '../sessions/active-clock';
import { assessActivities, exploreActivities } from '../activities/proxies';
import { errorOf, isSuperseded } from '../activities/failures';
import { atBrowser } from '../browsers/run-batch';
import { InvestigationEvents } from './investigation-events';
import type { ModelFallback } from '../models/fallback';
import type { PauseControl } from '../waits/pause';
import type { SessionRun } from '../sessions/session-run';

/** The call of a step that is prepared by an investigation. */
interface InvestigatedCall {
  stepIndex: number;
  turn: number;
  triedFrom: number;
  reason: string;
  wanted: string | undefined;
  maxIterations: number;
  ai: SessionConfig['ai'];
}

/**
 * Investigates the page before a call of the model: three phases in their order, each of them tools that look and a
 * judgement of what they saw (S1.A35). What a phase can't have in its time is done without; an investigation that comes
 * to nothing is told as failed, and the step goes on without it. Its results wait in the store for the call.
 */
export async function investigate(
  run: SessionRun,
  pause: PauseControl,
  models: ModelFallback,
  call: InvestigatedCall,
): Promise<void> {
  const { stepIndex, turn, reason } = call;
  const account = new InvestigationEvents(run, stepIndex, investigationIdOf(run.sessionId, stepIndex, turn));
  account.begin(reason);
  try {
    await withinActiveTime(run.clock, INVESTIGATION_LIMIT_MS, 'limit of the investigation', async () => {
      let focus: string[] = [];
      for (const { phase, limitMs } of PHASES) {
        account.beginPhase(phase);
        account.use(await explore(run, pause, call, phase, limitMs, focus));
        const judged = await assess(run, models, call, phase, limitMs).catch((error: unknown) => {
          if (isCancellation(error) || isSuperseded(error)) throw error;
          account.note(errorOf(error, 'TL005'));
        });
        focus = judged?.focus ?? focus;
        account.completePhase(judged ?? undefined);
      }
    });
  } catch (error) {
    if (!(error instanceof ActiveTimeUp)) {
      account.fail(errorOf(error, 'TL005'));
      if (isCancellation(error) || isSuperseded(error)) throw error;
      return;
    }
    account.note(
      run.error('TL005', `The investigation was not through within ${INVESTIGATION_LIMIT_MS / 1000} s.`, {
        stepIndex,
        moduleId: 'task-loop',
      }),
    );
  }
  account.end();
}

class PageGone extends Error {}

/** The tools of a phase, over pauses and dead workers. A browser that is lost, or another page, ends the investigation. */
async function explore(
  run: SessionRun,
  pause: PauseControl,
  { stepIndex, turn }: InvestigatedCall,
  phase: InvestigationPhase,
  limitMs: number,
  focus: string[],
): Promise<ExploreOutput['toolsUsed']> {
  const { pagesReplaced } = run;
  for (;;) {
    await pause.safePoint();
    const { lease } = run;
    if (lease === undefined || run.pagesReplaced !== pagesReplaced)
      throw new PageGone('The page that was investigated is gone.');
    const explored = await atBrowser(run, lease, pause, (route) =>
      run.outbox.flushWith((outbox) =>
        exploreActivities(lease, route, run.config.timeouts, { limitMs, summary: toWords(phase) }).explore({
          sessionId: run.sessionId,
          stepIndex,
          turn,
          lease,
          phase,
          focus,
          executor: run.config.executor,
          outbox,
        }),
      ),
    );
    if (explored === undefined) continue;
    run.lease = explored.lease;
    if (!explored.isInterrupted) return explored.toolsUsed;
  }
}

async function assess(
  run: SessionRun,
  models: ModelFallback,
  { stepIndex, turn, triedFrom, wanted, maxIterations, ai }: InvestigatedCall,
  phase: InvestigationPhase,
  limitMs: number,
): Promise<AssessOutput> {
  return await models.ask((model) =>
    run.outbox.flushWith((outbox) =>
      assessActivities(`judge the ${toWords(phase)}`, model, limitMs).assess({
        sessionId: run.sessionId,
        stepIndex,
        turn,
        step: run.steps[stepIndex]!,
        maxIterations,
        phase,
        ai: { ...ai, model },
        ...(triedFrom === 0 ? {} : { triedFrom }),
        ...(wanted === undefined ? {} : { wanted }),
        outbox,
      }),
    ),
  );
}

function toWords(phase: InvestigationPhase): string {
  return phase.replaceAll('_', ' ');
}
