import { FAULT_POINTS, type FaultPoint } from '../../../runtime/fault-point';

/** Only turns of a task pass these. */
export const POINTS_OF_TASKS: readonly FaultPoint[] = ['before-turn', 'before-plan'];
/** Nor does the demo use a tool beside the browser's. */
const POINTS_OF_TOOLS: readonly FaultPoint[] = ['during-tool'];
/** All that a demo session, as steps or as a task, comes by. */
export const DEMO_POINTS = (Object.keys(FAULT_POINTS) as FaultPoint[]).filter(
  (point) => !POINTS_OF_TOOLS.includes(point),
);
