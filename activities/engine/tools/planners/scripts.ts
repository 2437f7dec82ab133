import type { Planners } from './planner';

export const scriptPlanners = {
  javascript_tool: ({ expression }) => ({
    action: 'RUN_SCRIPT',
    parameters: { script: expression },
    classification: 'write',
    summary: 'Run a script in the page',
    approvalScope: expression,
  }),
} satisfies Partial<Planners>;
