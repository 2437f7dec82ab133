import { uuid4 } from '@temporalio/workflow';
import { standardError } from '../../contracts/errors/standard-error';
import { bareValueIssues } from '../../contracts/sessions/secrets';
import {
  parseStart,
  toPlannedStart,
  type PlannedStart,
  type StartRequest,
} from '../../contracts/sessions/start-request';
import { toWorkflowFailure } from './errors';
import type { ContinuedState } from './session-run';

/**
 * Input of the workflow type `session`: a request, as `temporal workflow start --type session --input` takes it, or what the
 * API, the CLI and the library have made of one. The workflow itself sets `continued` when it continues as new.
 */
export type SessionInput = StartRequest | (PlannedStart & { continued?: ContinuedState });

/** Validates a plain start; what comes with a plan was validated before, and is trusted. */
export function parseSessionInput(input: unknown): PlannedStart & { continued?: ContinuedState } {
  if (isPlanned(input)) return input;
  const parsed = parseStart(input ?? {});
  const issues = parsed.kind === 'invalid' ? parsed.issues : bareValueIssues(parsed.request);
  if (parsed.kind === 'valid' && issues.length === 0) return toPlannedStart(parsed);
  // A failed workflow: an exception of another kind would repeat its task for ever.
  const list = issues.map(({ path, message }) => `${path || 'input'}: ${message}`).join('; ');
  throw toWorkflowFailure(
    standardError({
      id: uuid4(),
      timestamp: new Date(),
      code: 'SP001',
      message: `The session's input is not valid: ${list}`,
      details: { issues },
    }),
  );
}

function isPlanned(input: unknown): input is PlannedStart & { continued?: ContinuedState } {
  const { plan } = (input ?? {}) as Partial<PlannedStart>;
  return Array.isArray(plan?.steps) && plan.config !== undefined;
}
