import { isCancellation } from '@temporalio/workflow';
import type { ExploreOutput } from '../../activities/signatures/browser-activities';
import type { AssessOutput } from '../../activities/signatures/engine-activities';
import {
  INVESTIGATION_LIMIT_MS,
  PHASES,
  investigationIdOf,
  type InvestigationPhase,
} from '../../contracts/steps/investigation';
import { ActiveTimeUp, withinActiveTime } from '../state/active-clock';
import { assessActivities, exploreActivities } from '../proxies/activity-proxies';
import { errorOf, isSuperseded } from '../proxies/failures';
import { atBrowser } from '../sessions/at-browser';
import { InvestigationEvents } from './investigation-events';
import type { StepReaders } from './step-readers';
import type { SessionRun } from '../sessions/session-run';

/** The call of a step that is prepared by an investigation. */
interface InvestigatedCall {
  stepIndex: number;
  turn: number;
  triedFrom: number;
  reason: string;
  wanted: string | undefined;
}

/**
 * Investigates the page before a call of the model, in three phases: tools that look, then the model's judgement of what
 * they saw (S1.A35). A phase that gets no result in its time is left out. An investigation without any result is recorded
 * as failed, and the step goes on without it. The results wait in the store for the call.
 */
export async function investigate(run: SessionRun, models: StepReaders, call: InvestigatedCall): Promise<void> {
  const { session } = run;
  const { stepIndex, turn, reason } = call;
  const events = new InvestigationEvents(session, stepIndex, investigationIdOf(session.id, stepIndex, turn));
  events.begin(reason);
  try {
    await withinActiveTime(session.clock, INVESTIGATION_LIMIT_MS, 'limit of the investigation', async () => {
      let focus: string[] = [];
      for (const { phase, limitMs } of PHASES) {
        events.beginPhase(phase);
        events.addTools(await explore(run, call, phase, limitMs, focus));
        const assessment = await assess(run, models, call, phase, limitMs).catch((error: unknown) => {
          if (isCancellation(error) || isSuperseded(error)) throw error;
          events.addProblem(errorOf(error, 'TL005'));
        });
        focus = assessment?.focus ?? focus;
        events.completePhase(assessment ?? undefined);
      }
    });
  } catch (error) {
    if (!(error instanceof ActiveTimeUp)) {
      events.fail(errorOf(error, 'TL005'));
      if (isCancellation(error) || isSuperseded(error)) throw error;
      return;
    }
    const message = `The investigation was not through within ${INVESTIGATION_LIMIT_MS / 1000} s.`;
    events.addProblem(session.error('TL005', message, { stepIndex }));
  }
  events.end();
}

class PageGone extends Error {}

/** Runs the tools of a phase, over pauses and dead workers. A lost browser, or another page, ends the investigation. */
async function explore(
  run: SessionRun,
  { stepIndex, turn }: InvestigatedCall,
  phase: InvestigationPhase,
  limitMs: number,
  focus: string[],
): Promise<ExploreOutput['toolsUsed']> {
  const { session, browser, pause } = run;
  const { executor } = session.config;
  const { pageReplacements } = browser;
  for (;;) {
    await pause.safePoint();
    const { lease } = browser;
    if (lease === undefined || browser.pageReplacements !== pageReplacements)
      throw new PageGone('The page that was investigated is gone.');
    const input = { sessionId: session.id, stepIndex, turn, lease, phase, focus, executor };
    const limits = { values: { ...session.limitValues, phaseMs: limitMs }, leftMs: session.leftMs };
    const explored = await atBrowser(run, lease, (route) =>
      session.outbox.flushWith((outbox) =>
        exploreActivities(lease, route, nameOf(phase), limits).explore({ ...input, outbox }),
      ),
    );
    if (explored === undefined) continue;
    browser.setLease(explored.lease);
    if (!explored.isInterrupted) return explored.toolsUsed;
  }
}

async function assess(
  { session }: SessionRun,
  models: StepReaders,
  { stepIndex, turn, triedFrom, wanted }: InvestigatedCall,
  phase: InvestigationPhase,
  limitMs: number,
): Promise<AssessOutput> {
  return await models.call((model) =>
    session.outbox.flushWith((outbox) =>
      // A slow model gets the time that its calls have: the limit of the phase is that of its tools.
      assessActivities(
        `judge the ${nameOf(phase)}`,
        model,
        Math.max(limitMs, session.steps.currentFor(model).options.aiConfig.timeoutMs),
      ).assess({
        sessionId: session.id,
        stepIndex,
        turn,
        step: session.steps.currentFor(model),
        phase,
        ...(triedFrom === 0 ? {} : { triedFrom }),
        ...(wanted === undefined ? {} : { wanted }),
        outbox,
      }),
    ),
  );
}

function nameOf(phase: InvestigationPhase): string {
  return phase.replaceAll('_', ' ');
}
