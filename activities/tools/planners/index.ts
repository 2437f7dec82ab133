import { computerPlanners } from './computer';
import { fieldPlanners } from './fields';
import { filePlanners } from './files';
import { pagePlanners } from './pages';
import type { Planners } from './planner';
import { readingPlanners } from './reading';
import { scriptPlanners } from './scripts';

export const PLANNERS: Planners = {
  ...computerPlanners,
  ...fieldPlanners,
  ...filePlanners,
  ...pagePlanners,
  ...readingPlanners,
  ...scriptPlanners,
};
