import { commandPlanners } from './commands';
import { computerPlanners } from './computer';
import { fieldPlanners } from './fields';
import { filePlanners } from './files';
import { pagePlanners } from './pages';
import type { Planners } from './planner';
import { readingPlanners } from './reading';
import { scriptPlanners } from './scripts';

export const PLANNERS: Planners = {
  ...commandPlanners,
  ...computerPlanners,
  ...fieldPlanners,
  ...filePlanners,
  ...pagePlanners,
  ...readingPlanners,
  ...scriptPlanners,
};
