import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { isRefused, pageStatus, requestsIn } from '../../../contracts/commands/evidence';
import { isThrownOut, signsOut } from '../../../rules/planning/sign-in-page';
import type { JournalEntry } from '../../../store/journal/journal';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import { writeOutbox } from '../../activity/write-outbox';
import type { JudgeSignInInput, SignInJudgement } from '../../signatures/engine-activities';

/** Whether the site has thrown the session back to its sign-in page, by the newest snapshot and what the step has done. */
export async function judgeSignIn(
  { store }: { store: Store },
  { sessionId, stepIndex, freshFrom = 0, ofCheck, outbox }: JudgeSignInInput,
  { runId }: Pick<ActivityCall, 'runId'>,
): Promise<SignInJudgement> {
  await writeOutbox(store, sessionId, runId, outbox);
  const [session, snapshot, all] = await Promise.all([
    store.sessions.get(sessionId),
    store.memory.snapshot(sessionId),
    store.journal.ofStep(sessionId, stepIndex),
  ]);
  const journal = all.filter(({ turn }) => turn >= freshFrom);
  if (ofCheck === true) return unavailable(journal, snapshot) ?? 'signed-out';
  const { steps = [], profile } = session?.plan ?? {};
  if (profile?.signIn === undefined || snapshot === null) return 'signed-in';
  if (steps.slice(0, stepIndex + 1).some(({ instruction }) => signsOut(instruction))) return 'signed-in';
  const [current, ...later] = steps.slice(stepIndex).map(({ instruction }) => instruction);
  const opened = journal.findLast(({ action }) => action === 'OPEN_PAGE')?.parameters.url;
  const request = { snapshot, instruction: current ?? '', laterSteps: later };
  if (!isThrownOut(opened, profile.signIn.text, request)) return 'signed-in';
  return journal.some((entry) => mayHaveHappened(entry, snapshot)) ? 'after-deed' : 'signed-out';
}

/** Where the page could not be opened, or the site has failed: that is no page of somebody who is signed out. */
function unavailable(journal: readonly JournalEntry[], snapshot: PageSnapshot | null): SignInJudgement | undefined {
  const opened = journal.findLast(({ action }) => action === 'OPEN_PAGE');
  if (opened?.status === 'failed') return { unavailable: opened.error?.message ?? 'Its page could not be opened.' };
  const status = pageStatus(opened?.evidence) ?? 0;
  if (status < 500) return undefined;
  return { unavailable: `${snapshot?.url} was answered with ${status} (“${snapshot?.title}”).` };
}

/** Whether a server may have taken what a commit has sent: all but what it has refused, or answered by the sign-in page itself. */
function mayHaveHappened({ effect, status, evidence }: JournalEntry, { url }: PageSnapshot): boolean {
  if (effect !== 'commit') return false;
  if (status === 'unknown' || status === 'intended') return true;
  const requests = requestsIn(evidence);
  return requests.some((request, index) => {
    if (request.method === 'GET' || isRefused(request)) return false;
    const next = requests[index + 1];
    return next === undefined || next.method !== 'GET' || placeOf(next.url) !== placeOf(url);
  });
}

function placeOf(url: string): string {
  const { origin = '', pathname = url } = URL.parse(url) ?? {};
  return `${origin}${pathname}`;
}
