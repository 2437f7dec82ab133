import { uuid4 } from '@temporalio/workflow';
import { issuesText, type Issue } from '../../contracts/errors/issues';
import { standardError } from '../../contracts/errors/standard-error';
import { bytesOf } from '../../contracts/json';
import type { PlannedStart, StartRequest } from '../../contracts/sessions/start-request';
import { engineActivities } from '../proxies/activity-proxies';
import { toWorkflowFailure } from '../state/errors';
import type { ContinuedState } from './session-run';

/**
 * Input of the workflow type `session`: a request, as `temporal workflow start --type session --input` takes it, or what the
 * API, the CLI and the library have made of one. The workflow itself sets `continued` when it continues as new.
 */
export type SessionInput = StartRequest | (PlannedStart & { continued?: ContinuedState });

/** What fits into an activity's input; a part of the history of each session, so it does not change. */
const MAX_INPUT_BYTES = 1_900_000;

/**
 * Has a plain start planned by an activity: its result is in the history, so a replay does not validate the input again
 * with a schema that may be newer.
 */
export async function planSession(input: unknown): Promise<PlannedStart> {
  const bytes = bytesOf(input);
  if (bytes > MAX_INPUT_BYTES)
    throw invalidInput([{ path: '', message: `expected at most ${MAX_INPUT_BYTES} bytes as JSON, got ${bytes}` }]);
  const planned = await engineActivities('plan the session').planStart({ input: input ?? {} });
  if (planned.kind === 'invalid') throw invalidInput(planned.issues);
  return planned.start;
}

/** A failed workflow: an exception of another kind would repeat its task for ever. */
function invalidInput(issues: readonly Issue[]): Error {
  return toWorkflowFailure(
    standardError({
      id: uuid4(),
      timestamp: new Date(),
      code: 'SP001',
      message: `The session's input is not valid: ${issuesText(issues.map((each) => ({ ...each, path: each.path || 'input' })))}`,
      details: { issues },
    }),
  );
}

/** What comes with a plan was validated before, and is trusted. */
export function isPlanned(input: unknown): input is PlannedStart & { continued?: ContinuedState } {
  const { plan } = (input ?? {}) as Partial<PlannedStart>;
  return Array.isArray(plan?.steps) && plan.config !== undefined;
}
