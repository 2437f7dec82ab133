import { createHash } from 'node:crypto';
import type { ScheduleOptions, ScheduleOptionsStartWorkflowAction, Workflow } from '@temporalio/client';
import { SESSION_WORKFLOW } from '../../contracts/queues';
import { toCarriedStart } from '../../contracts/sessions/carried-steps';
import type { ScheduleRequest } from '../../contracts/sessions/schedule';
import { durationMs } from '../../contracts/sessions/schedule-duration';
import { keptValueIssues } from '../../contracts/sessions/secrets';
import type { ParsedStart, ValidStart } from '../../contracts/sessions/start-request';
import { ClientError } from '../port/port';
import { requireValidStart, type StartRules } from '../sessions/valid-start';
import { tenantOf, workflowFacts } from '../../contracts/sessions/workflow-facts';
import { OVERLAP_POLICIES, toSpec } from './schedule-spec';

/** Validates what a schedule starts as a start is; no value of a secret may be in it, as Temporal keeps it. */
export async function validRequest(rules: StartRules, parsed: ParsedStart, what: string): Promise<ValidStart> {
  const start = await requireValidStart(rules, parsed, { what, at: 'request', also: notForSchedules });
  const carried = toCarriedStart(start);
  if ('problem' in carried) throw new ClientError('too-large', 'SP001', carried.problem);
  return start;
}

function notForSchedules({ request }: ValidStart) {
  const values = keptValueIssues(request, 'Temporal keeps what a schedule starts');
  if (request.notBefore === undefined) return values;
  return [...values, { path: 'notBefore', message: 'each session begins when the schedule starts it; leave it out' }];
}

/** What lists need of a schedule, and by what a repeated request is known. */
export function memoOf(request: ScheduleRequest) {
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  return { tenant: tenantOf(request.request), requestHash };
}

/** A workflow with the request as its input: each session plans it anew, as one that Temporal's command line has started. */
export function actionOf(id: string, { plan, request }: ValidStart): ScheduleOptionsStartWorkflowAction<Workflow> {
  const { priority, tenant } = request;
  const facts = workflowFacts({
    plan,
    ...(priority === undefined ? {} : { priority }),
    ...(tenant === undefined ? {} : { tenant }),
  });
  return { type: 'startWorkflow', workflowType: SESSION_WORKFLOW, workflowId: id, args: [request], ...facts };
}

export function policiesOf({ overlap, catchUp }: Pick<ScheduleRequest, 'overlap' | 'catchUp'>) {
  return {
    ...(overlap === undefined ? {} : { overlap: OVERLAP_POLICIES[overlap] }),
    ...(catchUp === undefined ? {} : { catchupWindow: durationMs(catchUp) }),
  };
}

export function scheduleOptions(request: ScheduleRequest, start: ValidStart): ScheduleOptions {
  const { id, paused, note } = request;
  return {
    scheduleId: id,
    spec: toSpec(request),
    action: actionOf(id, start),
    policies: policiesOf(request),
    memo: memoOf(request),
    state: { ...(paused === undefined ? {} : { paused }), ...(note === undefined ? {} : { note }) },
  };
}
