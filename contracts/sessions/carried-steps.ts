import { bytesOf } from '../json';
import { MOST_CARRIED, sizeProblem } from './size-limits';
import type { PlannedStart, ValidStart } from './start-request';
import type { Step, StepReference } from './step-input';

/** A start, or an addition of steps, that is larger goes to the workflow with its long steps by reference. */
export const INLINE_BYTES = 64 * 1024;
/** A step that is larger is carried by reference: a hundred of the others are far below what Temporal takes. */
const LONG_STEP_BYTES = 2048;
const SHORT_BYTES = 500;
const SHOWN_LENGTH = 200;

/** The beginning of an instruction, for lists. */
export function shownInstruction(instruction: string): string {
  return instruction.slice(0, SHOWN_LENGTH);
}

/** The step as the workflow carries it until it runs: whole, or with the beginning of its text and where the whole is. */
export function toCarriedStep(step: Step, textIn: StepReference): Step {
  if (step.textIn !== undefined || bytesOf(step) <= LONG_STEP_BYTES) return step;
  const { instruction, options, task, once, check, wait, signIn } = step;
  return {
    instruction: shownInstruction(instruction),
    options,
    ...(once === undefined ? {} : { once }),
    ...(check === undefined ? {} : { check }),
    ...(wait === undefined ? {} : { wait }),
    ...(signIn === undefined ? {} : { signIn }),
    ...(task === undefined
      ? {}
      : { task: { maxSteps: task.maxSteps, ...(task.isExtract ? { isExtract: true as const } : {}) } }),
    textIn,
  };
}

/**
 * What the workflow is sent of a valid start, or why that is too large. Its row has the whole plan: a large one leaves to it
 * what only activities need.
 */
export function toCarriedStart({ request, plan }: ValidStart): { start: PlannedStart } | { problem: string } {
  const { priority, tenant } = request;
  const start = { plan, ...(priority === undefined ? {} : { priority }), ...(tenant === undefined ? {} : { tenant }) };
  const problem = sizeProblem('The session', request);
  if (problem !== undefined) return { problem };
  const carried = toCarriedPlan(start);
  if (carried === start) return { start };
  const carriedProblem = sizeProblem('The session', carried);
  return carriedProblem === undefined ? { start: carried } : { problem: carriedProblem };
}

/** The start itself where it is short. */
export function toCarriedPlan(start: PlannedStart): PlannedStart {
  const { plan } = start;
  if (bytesOf(start) <= INLINE_BYTES && plan.steps.length <= MOST_CARRIED) return start;
  const steps = plan.steps.slice(0, MOST_CARRIED).map((step) => toCarriedStep(step, 'plan'));
  const furtherSteps = plan.steps.length - steps.length;
  // A short one may be the address that a further step goes to.
  const variables = Object.fromEntries(
    Object.entries(plan.variables).filter(([, value]) => bytesOf(value) <= SHORT_BYTES),
  );
  return {
    ...start,
    plan: { ...plan, steps, variables, metadata: {} },
    isStored: true,
    ...(furtherSteps === 0 ? {} : { furtherSteps }),
  };
}
