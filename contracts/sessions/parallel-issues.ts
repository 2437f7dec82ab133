import type { Issue } from '../errors/issues';
import { keptValueIssues } from './secrets';
import { MOST_CARRIED } from './size-limits';
import type { StartConfig } from './config';

type Given = Parameters<typeof keptValueIssues>[0] & {
  steps?: readonly unknown[] | undefined;
  config?: StartConfig | undefined;
  profile?: unknown;
  result?: unknown;
};

/** S1.A25: steps that run at once are sessions of their own, and do without what belongs to one session. */
export function parallelIssues(request: Given): Issue[] {
  const { config = {}, profile, result, steps = [] } = request;
  if (config.parallelExecution !== true) return [];
  const { stayOpen = false, executor = 'playwright' } = config.agent ?? {};
  const refused = [
    {
      path: 'steps',
      isGiven: steps.length > MOST_CARRIED,
      message: `at most ${MOST_CARRIED} steps run at once; a batch takes more`,
    },
    { path: 'config.agent.stayOpen', isGiven: stayOpen, message: 'a conversation has one step after the other' },
    {
      path: 'config.agent.executor',
      isGiven: executor !== 'playwright',
      message: `each parallel step has a browser of its own, and ${executor} is one for all`,
    },
    { path: 'config.budget', isGiven: config.budget !== undefined, message: 'each parallel step would use it whole' },
    {
      path: 'config.once',
      isGiven: config.once !== undefined,
      message: 'with one key, one of the parallel steps would be done; give each step its own',
    },
    { path: 'profile', isGiven: profile !== undefined, message: 'one session at a time has it, and no parallel steps' },
    {
      path: 'result',
      isGiven: result !== undefined,
      message: 'each parallel step has its own: give the tasks and extract steps one each',
    },
  ];
  return [
    ...refused.filter(({ isGiven }) => isGiven).map(({ path, message }) => ({ path, message })),
    ...keptValueIssues(request, 'parallel steps are sessions of their own'),
  ];
}
