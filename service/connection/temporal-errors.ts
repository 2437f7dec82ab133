import {
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure, NamespaceNotFoundError } from '@temporalio/common';
import { WRONG_STATE } from '../../workflows/messages/definitions';
import { ClientError } from '../port/port';
import type { Issue } from '../../contracts/errors/issues';

/** Status codes of gRPC. */
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
/** The error of an update whose workflow ended before it was completed. */
const COMPLETED_DURING_UPDATE = 'AcceptedUpdateCompletedWorkflow';

/** An update with the state of its session, for error messages. */
export interface UpdateContext {
  sessionId: string;
  /** As in "can't be paused". */
  verb: string;
  status: string;
  isEnded: boolean;
}

export function wrongState({ sessionId, verb, status }: UpdateContext): ClientError {
  return new ClientError('wrong-state', 'SP001', `Session ${sessionId} can't be ${verb}: it is ${status}.`, {
    state: status,
  });
}

/** Converts an error of Temporal's client to ClientError; returns any other error unchanged. */
export function toClientError(error: unknown, context: UpdateContext): unknown {
  if (error instanceof WorkflowUpdateFailedError) return fromRejection(error.cause, context);
  if (error instanceof WorkflowNotFoundError) {
    if (context.isEnded) return wrongState(context);
    return unavailable(
      `Session ${context.sessionId} has no running workflow in Temporal; its log will say how it ended within 30 seconds.`,
      error,
    );
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) {
    return unavailable(
      `Session ${context.sessionId} could not be ${context.verb} now: no worker answers. Start one with \`npx surefoot worker\`, ` +
        'then look at the session before asking again: the request may still be carried out.',
      error,
    );
  }
  return fromConnection(error);
}

/** Converts the rejection of an update by the workflow or the server. */
function fromRejection(cause: Error | undefined, context: UpdateContext): ClientError {
  if (!(cause instanceof ApplicationFailure)) return unavailable('Temporal could not carry out the request.', cause);
  const [details] = (cause.details ?? []) as { issues?: Issue[]; state?: string }[];
  if (cause.type === 'SP001') {
    return new ClientError('invalid', 'SP001', cause.message, { issues: details?.issues ?? [], cause });
  }
  if (cause.type === WRONG_STATE) {
    return new ClientError('wrong-state', 'SP001', cause.message, { state: details?.state ?? context.status, cause });
  }
  if (cause.type === COMPLETED_DURING_UPDATE) return wrongState(context);
  return unavailable(`The request was not carried out: ${cause.message}`, cause);
}

/** Converts an error of the connection to ClientError; returns any other error unchanged. */
export function fromConnection(error: unknown): unknown {
  if (error instanceof NamespaceNotFoundError) {
    return unavailable(`Temporal has no namespace ${error.namespace}. Create it, or set TEMPORAL_NAMESPACE.`, error);
  }
  const origin = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(origin)) return error;
  if (origin.code === INVALID_ARGUMENT) {
    return new ClientError('invalid', 'SP001', `Temporal does not take the request: ${origin.details}`, {
      cause: error,
    });
  }
  const reason = origin.code === DEADLINE_EXCEEDED ? 'it did not answer in time' : origin.details;
  return unavailable(`Temporal can't be reached (${reason}). Start it, or check TEMPORAL_ADDRESS.`, error);
}

function unavailable(message: string, cause: unknown): ClientError {
  return new ClientError('unavailable', 'SP002', message, { cause });
}
