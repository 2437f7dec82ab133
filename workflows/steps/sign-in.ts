import { patched } from '@temporalio/workflow';
import type { JudgeSignInInput, SignInJudgement } from '../../activities/signatures/engine-activities';
import { StreamEventType } from '../../contracts/events/stream-event';
import { SECRET_MARK } from '../../contracts/sessions/resources';
import type { SignInPlan } from '../../contracts/sessions/profile';
import { reopeningStep } from '../../contracts/sessions/sign-in-plan';
import type { Step } from '../../contracts/sessions/step-input';
import { engineActivities } from '../proxies/activity-proxies';
import type { SessionRun } from '../sessions/session-run';
import { actReflect } from './act-reflect';
import type { StepEnd, StepProgress } from './step-retries';

/** The first step of a session that knows how to sign in: it looks whether that is needed, and does it only then. */
export async function runSignInStep(run: SessionRun, progress: StepProgress, signIn: SignInPlan): Promise<StepEnd> {
  const end = await tryAnew(run, progress, signIn.check);
  const { error } = end;
  if (error === undefined) return end;
  // A site that is down shows nobody as signed in, and may send a code to a person who signs in.
  const found = patched('no-sign-in-at-an-outage') ? await judge(run, progress, { ofCheck: true }) : 'signed-out';
  if (typeof found === 'string') return await runLogin(run, progress, signIn);
  const { session } = run;
  const message = `The login steps were not done, because the site does not show whether the session is signed in: ${found.unavailable}`;
  return { ...end, error: session.error('TL004', message, { stepIndex: session.steps.index, cause: error }) };
}

/**
 * Tries a step. Where the site has thrown the session back to its sign-in page, the session signs in, opens the page on which
 * the step has begun, and does the step once more, unless a server may have taken something that the step has sent.
 */
export async function actReflectSignedIn(
  run: SessionRun,
  progress: StepProgress,
  signIn: SignInPlan,
): Promise<StepEnd> {
  const { session, browser } = run;
  const begunAt = browser.page?.url ?? session.start.plan.beginsAt ?? '';
  const end = await actReflect(run, progress);
  // Of a step that is done, its last call has this number.
  progress.turn += 1;
  const found = await judge(run, progress);
  if (found === 'signed-in' || (found === 'after-deed' && end.error !== undefined)) return end;
  const signedIn = await signInAgain(run, progress, signIn);
  // What the step has sent was taken: it is done, and the next one finds the session signed in.
  if (signedIn.error !== undefined || found === 'after-deed') return signedIn.error === undefined ? end : signedIn;
  if (/^https?:/.test(begunAt) && !begunAt.includes(SECRET_MARK)) {
    const reopened = await tryAnew(run, progress, reopeningStep(begunAt, signIn.check));
    if (reopened.error !== undefined) return reopened;
  }
  beginAnew(progress);
  return await actReflect(run, progress);
}

async function judge(
  { session }: SessionRun,
  { freshFrom }: StepProgress,
  of: Pick<JudgeSignInInput, 'ofCheck'> = {},
): Promise<SignInJudgement> {
  const place = { sessionId: session.id, stepIndex: session.steps.index, ...of };
  return await session.outbox.flushWith((outbox) =>
    engineActivities('look whether the session is signed in').judgeSignIn({
      ...place,
      ...(freshFrom === undefined ? {} : { freshFrom }),
      outbox,
    }),
  );
}

/** Signs in where the site has signed the session out. */
export async function signInAgain(run: SessionRun, progress: StepProgress, signIn: SignInPlan): Promise<StepEnd> {
  const { session } = run;
  session.record(
    'executor-streamer',
    StreamEventType.SESSION_STATUS,
    {
      message: 'The site asks to sign in again: the login steps of the profile are done.',
      details: { status: session.status, signsIn: true },
    },
    session.steps.index,
  );
  return await runLogin(run, progress, signIn);
}

/** Does the login steps, and looks whether they have led to where a person is who has signed in. */
async function runLogin(run: SessionRun, progress: StepProgress, signIn: SignInPlan): Promise<StepEnd> {
  const { session } = run;
  const { check, login, text, url } = signIn;
  const stepIndex = session.steps.index;
  const failed = (end: StepEnd, message: string): StepEnd => ({
    ...end,
    // A site counts the tries of a password.
    error: { ...session.error('TL004', message, { stepIndex, cause: end.error }), retryable: false },
  });
  for (const [number, step] of login.entries()) {
    const laterSteps = [...login.slice(number + 1), check].map(({ instruction }) => instruction);
    const end = await tryAnew(run, progress, step, laterSteps);
    if (end.error !== undefined)
      return failed(end, `The session could not sign in, at “${step.instruction}”: ${end.error.message}`);
  }
  const end = await tryAnew(run, progress, check);
  if (end.error === undefined) return end;
  const name = session.start.plan.profile?.name;
  const what =
    login.length === 0
      ? `The session is not signed in, and its profile has no login steps. Sign in once, as surefoot profiles login ${name}`
      : 'The login steps were done, and the session is not signed in';
  return failed(end, `${what}: “${text}” is not shown at ${url}.`);
}

/** Does another step in place of the current one, under its index; nothing that the step has done before counts for it. */
async function tryAnew(
  run: SessionRun,
  progress: StepProgress,
  step: Step,
  laterSteps: readonly string[] = [],
): Promise<StepEnd> {
  const { steps } = run.session;
  const own = steps.current;
  beginAnew(progress);
  progress.laterSteps = laterSteps;
  steps.load(step);
  try {
    return await actReflect(run, progress);
  } finally {
    steps.load(own);
    delete progress.laterSteps;
    progress.turn += 1;
  }
}

function beginAnew(progress: StepProgress): void {
  progress.triedFrom = progress.turn;
  progress.freshFrom = progress.turn;
}
