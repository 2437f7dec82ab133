import { isReadOnlyScript } from '../planning/read-only-script';
import type { Planners } from './planner';

export const scriptPlanners = {
  javascript_tool: ({ expression }) => ({
    action: 'RUN_SCRIPT',
    parameters: { script: expression },
    classification: isReadOnlyScript(expression) ? 'write' : 'destructive',
    summary: 'Run a script in the page',
    approvalScope: expression,
  }),
} satisfies Partial<Planners>;
