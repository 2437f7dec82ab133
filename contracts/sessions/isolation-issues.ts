import type { Issue } from '../errors/issues';
import type { StartConfig } from './config';

/** A session that has a window or another browser cannot share. */
export function isolationIssues({ isolation, executorConfig, agent }: StartConfig): Issue[] {
  if (isolation !== 'context') return [];
  const refuse = (why: string): Issue[] => [
    {
      path: 'config.isolation',
      message: `A session can't share its Chrome where ${why}; use process, or leave it out`,
    },
  ];
  if (executorConfig?.headless === false) return refuse('it has a window of its own (executorConfig.headless false)');
  if (agent?.executor !== undefined && agent.executor !== 'playwright') return refuse('the browser is a person’s own');
  return [];
}
