import type { ParsedStart } from '../../contracts/sessions/start-request';
import type { StepChecks } from '../../contracts/steps/step-check';
import { checkSteps } from '../../rules/planning/check-steps';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { invalid } from '../connection/invalid';

/** Checks the steps of a start request without starting it; on the page that a session shows, where one is named. */
export async function checkRequest(
  store: Store,
  parsed: ParsedStart,
  sessionId: string | undefined,
): Promise<StepChecks> {
  if (parsed.kind === 'invalid') throw invalid('The session can not be started', parsed.issues);
  const { request, plan } = parsed;
  const variables = Object.entries(request.variables ?? {});
  const snapshot =
    sessionId === undefined ? undefined : ((await fromStore(() => store.memory.snapshot(sessionId))) ?? undefined);
  const steps = checkSteps(
    plan.steps.filter(({ signIn }) => signIn === undefined),
    {
      names: [...variables.map(([name]) => name), ...Object.keys(request.secrets ?? {})],
      values: Object.fromEntries(
        variables.flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, String(value)]])),
      ),
      snapshot,
    },
  );
  const isReady = steps.every(({ status }) => status === 'ready' || status === 'model');
  return { isReady, ...(snapshot === undefined ? {} : { url: snapshot.url }), steps };
}
