import type { Issue } from '../../contracts/errors/issues';
import type { SessionConfig } from '../../contracts/sessions/config';
import { connectionIssues, type Connections } from '../../contracts/sessions/model-connections';
import type { AddStepsRequest } from '../../contracts/sessions/start-request';
import type { Step } from '../../contracts/sessions/step-input';
import { toSteps } from '../../contracts/sessions/to-steps';
import { stepIssues, type Floors } from '../settings/floors/floor-issues';
import { schemaIssues } from './given-schemas';

export interface CheckedSteps {
  steps: Step[];
  invalid: Issue[];
  belowFloor: Issue[];
}

/** What settings and JSON schemas say against steps that fit their own schema. */
export async function addedStepsIssues(
  { steps: inputs }: AddStepsRequest,
  config: SessionConfig,
  { floors, connections = {} }: { floors?: Floors | undefined; connections?: Connections | undefined },
): Promise<CheckedSteps> {
  const steps = toSteps(inputs, config);
  return {
    steps,
    invalid: [...(await schemaIssues({ steps: inputs })), ...connectionIssues({ config, steps }, connections)],
    belowFloor: floors === undefined ? [] : stepIssues(steps, floors.floors),
  };
}
