import { effectOfScript } from '../../deeds/scripts/read-only-script';
import type { Planners } from './planner';

export const scriptPlanners = {
  javascript_tool({ expression }) {
    const effect = effectOfScript(expression);
    return {
      action: 'RUN_SCRIPT',
      parameters: { script: expression },
      classification: effect === undefined ? 'write' : 'destructive',
      summary: 'Run a script in the page',
      ...(effect === undefined ? {} : { why: `It may do more than read: ${effect}.` }),
      approvalScope: expression,
    };
  },
} satisfies Partial<Planners>;
