import type { Issue } from '../errors/issues';
import type { SessionConfig } from './config';
import { checkIssues } from './site-check';
import type { StepInput } from './step-input';

/** What is wrong with the checks of a request, and where. */
export function stepCheckIssues(
  steps: readonly StepInput[],
  { agent }: Pick<SessionConfig, 'agent'>,
  known: { variables?: Record<string, unknown> | undefined; secrets?: object | undefined } = {},
): Issue[] {
  return steps.flatMap((step, index) => {
    if (typeof step === 'string' || !('check' in step) || step.check === undefined) return [];
    const path = `steps[${index}].check`;
    return agent.executor === 'playwright'
      ? checkIssues(path, step.check, known)
      : [{ path, message: 'only a browser of the engine can look; leave it out, or agent.executor' }];
  });
}
