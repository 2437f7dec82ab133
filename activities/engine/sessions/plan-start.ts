import { bareValueIssues } from '../../../contracts/sessions/secrets';
import { toCarriedStart } from '../../../contracts/sessions/carried-steps';
import { parseStart, type SessionPlan, type StartRequest } from '../../../contracts/sessions/start-request';
import { sessionIdOf } from '../../../store/sessions/session-id';
import { dependentStepIssues } from '../../../rules/planning/independent-steps';
import { pageWaitReadingIssues } from '../../../rules/planning/page-wait';
import { siteCheckIssues } from '../../../rules/planning/site-check';
import { schemaIssues } from '../../../runtime/schemas/given-schemas';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { PlannedInput } from '../../signatures/engine-activities';

/** Plans a plain Temporal start: validates the request, and creates the row with the whole plan. */
export async function planStart(
  { store }: { store: Store },
  { input }: { input: unknown },
  { workflowId }: Pick<ActivityCall, 'workflowId'>,
): Promise<PlannedInput> {
  const planned = planInput(input);
  if (planned.kind === 'invalid') return planned;
  const { plan, start, request } = planned;
  const given = plan.steps.filter(({ signIn }) => signIn === undefined);
  const issues = [
    ...(await schemaIssues(request)),
    ...siteCheckIssues(given),
    ...pageWaitReadingIssues(given),
    ...dependentStepIssues(plan),
  ];
  if (issues.length > 0) return { kind: 'invalid', issues };
  await store.sessions.create({ sessionId: sessionIdOf(workflowId), workflowId, plan });
  return { kind: 'valid', start };
}

/** Validates a plain start but its schemas; `plan` is the whole of it, `start` what the workflow carries. */
export function planInput(input: unknown): Extract<PlannedInput, { kind: 'invalid' }> | PlannedWhole {
  const parsed = parseStart(input);
  if (parsed.kind === 'invalid') return parsed;
  const issues = bareValueIssues(parsed.request);
  if (issues.length > 0) return { kind: 'invalid', issues };
  const carried = toCarriedStart(parsed);
  if ('problem' in carried) return { kind: 'invalid', issues: [{ path: '', message: carried.problem }] };
  return { kind: 'valid', plan: parsed.plan, start: carried.start, request: parsed.request };
}

type PlannedWhole = Extract<PlannedInput, { kind: 'valid' }> & { plan: SessionPlan; request: StartRequest };
