import type { Issue } from '../errors/issues';
import type { SessionConfig } from './config';
import type { StepInput } from './step-input';

/** A step that no recipe can do is refused where no model may be called. */
export function replayIssues(steps: readonly StepInput[], { replay }: Pick<SessionConfig, 'replay'>): Issue[] {
  if (replay !== 'only') return [];
  return steps.flatMap((step, index) => {
    const kind =
      typeof step === 'string' ? undefined : 'task' in step ? 'task' : 'extract' in step ? 'extract' : undefined;
    if (kind === undefined) return [];
    const message = `a step of this kind is led by a model, and with replay: only none is called; use replay: prefer, or say it as plain steps`;
    return [{ path: `steps[${index}].${kind}`, message }];
  });
}
