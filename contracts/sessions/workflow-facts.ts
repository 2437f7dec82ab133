import { ENGINE_QUEUE } from '../queues';
import { workflowBackstop } from './activity-limits';
import { shownInstruction } from './carried-steps';
import { DEFAULT_PRIORITY, DEFAULT_TENANT, type PlannedStart } from './start-request';
import { stepList, workflowSummary } from './workflow-summary';

/** What Temporal is given with a session besides its input: its queue, its limits, and what lists show of it. */
export function workflowFacts(start: PlannedStart) {
  const { plan, priority = DEFAULT_PRIORITY } = start;
  const steps = plan.steps.map((step) => shownInstruction(step.instruction));
  return {
    taskQueue: ENGINE_QUEUE,
    ...workflowBackstop(plan.config.timeouts.workflowTimeoutMs),
    staticSummary: workflowSummary(plan.name, steps),
    staticDetails: stepList(steps),
    memo: { steps },
    priority: { priorityKey: priority, fairnessKey: tenantOf(start) },
  };
}

export function tenantOf({ tenant = DEFAULT_TENANT }: { tenant?: string | undefined }): string {
  return tenant;
}
