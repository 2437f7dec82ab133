import { FAULT_POINTS, type FaultPoint } from '../../../runtime/fault-point';

/** Only turns of a task pass these. */
export const POINTS_OF_TASKS: readonly FaultPoint[] = ['before-turn', 'before-plan'];
/** The demo uses only browser tools. */
const POINTS_OF_TOOLS: readonly FaultPoint[] = ['during-tool'];
/** Only whoever sends a session a message passes these; scenario `repeated-message` does. */
const POINTS_OF_MESSAGES: readonly FaultPoint[] = ['after-message', 'before-settle'];
/** No model of the chaos runs has an approved command judged. */
const POINTS_OF_APPROVALS: readonly FaultPoint[] = ['during-judgement'];
/** The demo has no step with a check; scenario `checked-press` has. */
const POINTS_OF_CHECKS: readonly FaultPoint[] = ['during-look'];
/** The points that a demo session, as steps or as a task, passes. */
export const DEMO_POINTS = (Object.keys(FAULT_POINTS) as FaultPoint[]).filter(
  (point) => ![...POINTS_OF_TOOLS, ...POINTS_OF_MESSAGES, ...POINTS_OF_APPROVALS, ...POINTS_OF_CHECKS].includes(point),
);
