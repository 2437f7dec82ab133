import { unknownOutcomeName, type UnknownOutcome } from '../../contracts/approvals/unknown-outcome';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { SiteFinding } from '../../contracts/sessions/site-check';
import { checkSite, type Place } from './check-site';
import type { SessionRun } from './session-run';

/**
 * Resolves to whether a commit of unknown outcome has happened: by the check of its step, where that finds it out, else by
 * what a person says.
 */
export async function resolveUnknown(
  run: SessionRun,
  unknown: UnknownOutcome,
  place: Place,
): Promise<{ happened: boolean; by: 'check' | 'person' }> {
  const { session } = run;
  const { check } = session.steps.current;
  if (check === undefined) return { happened: await run.unknownOutcome.ask(unknown), by: 'person' };
  // As for a person's answer: it is no active time.
  session.clock.stop('check');
  let found: SiteFinding;
  try {
    found = await checkSite(run, check, place);
  } finally {
    session.clock.start('check');
  }
  const { finding, seen, url, screenshotId } = found;
  const evidence = { finding, seen, url, ...(screenshotId === undefined ? {} : { screenshotId }) };
  if (finding === 'unsure') {
    recordFinding(run, place.stepIndex, `The check of this step proved nothing. ${seen}`, { check: evidence });
    return { happened: await run.unknownOutcome.ask(unknown, seen), by: 'person' };
  }
  const happened = finding === 'found';
  const { commandId } = unknown;
  const resolved = { commandId, by: 'check', happened, at: new Date().toISOString(), seen } as const;
  session.outbox.resolution(resolved);
  const message = `The site shows that ${unknownOutcomeName(unknown)} ${happened ? 'happened' : 'did not happen'}. ${seen}`;
  recordFinding(run, place.stepIndex, message, { resolved, check: evidence });
  await session.publish('go on with what the site shows');
  return { happened, by: 'check' };
}

export function recordFinding(
  { session }: SessionRun,
  stepIndex: number,
  message: string,
  details: Record<string, unknown>,
): void {
  const facts = { message, details: { status: session.status, ...details } };
  session.record('executor-streamer', StreamEventType.SESSION_STATUS, facts, stepIndex);
}
