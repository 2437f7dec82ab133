import { commandPlanners } from './commands';
import { computerPlanners } from './computer';
import { fieldPlanners } from './fields';
import { filePlanners } from './files';
import { gesturePlanners } from './gestures';
import { pagePlanners } from './pages';
import type { Planners } from './planner';
import { readingPlanners } from './reading';
import { scriptPlanners } from './scripts';

export const PLANNERS: Planners = {
  ...commandPlanners,
  ...computerPlanners,
  ...fieldPlanners,
  ...filePlanners,
  ...gesturePlanners,
  ...pagePlanners,
  ...readingPlanners,
  ...scriptPlanners,
};
