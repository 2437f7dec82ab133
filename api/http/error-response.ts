import { HTTPException } from 'hono/http-exception';
import { ClientError, type ClientErrorKind } from '../../service/port/port';
import { ERRORS, type ErrorCode } from '../../contracts/errors/error-codes';
import { type Issue, issuesText } from '../../contracts/errors/issues';

/** An error as the API answers it. */
export interface ErrorResponse {
  status: number;
  /** S1.38. */
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
  retryable: boolean;
  headers?: Record<string, string>;
}

/** Thrown by routes and middleware for requests that the HTTP layer refuses. */
export class HttpError extends Error {
  constructor(
    readonly response: ErrorResponse,
    cause?: unknown,
  ) {
    super(response.message, { cause });
    this.name = 'Refusal';
  }
}

/** The HTTP status by kind of error; of other kinds the error code has the status. */
const STATUS_BY_KIND: Partial<Record<ClientErrorKind, number>> = {
  forbidden: 403,
  gone: 410,
  'wrong-state': 409,
  'key-reused': 422,
  'too-large': 413,
  unavailable: 503,
};
export const RETRY_AFTER = { 'Retry-After': '5' };
/** The answer is that of an earlier request with the same Idempotency-Key. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** Converts an error to an answer (S1.A19). Undefined for an unexpected error, whose text is not sent. */
export function toErrorResponse(error: unknown): ErrorResponse | undefined {
  if (error instanceof ClientError) return fromClientError(error);
  if (error instanceof HttpError) return error.response;
  // Errors of Hono, such as malformed JSON.
  if (error instanceof HTTPException) return requestError(error.status, toSentence(error.message));
  return undefined;
}

export function invalidRequest(issues: readonly Issue[]): ErrorResponse {
  return requestError(400, `The request is not valid: ${issuesText(issues)}`, { details: { issues } });
}

export function internalError(requestId: string): ErrorResponse {
  const message = `This went wrong on our side. The log of the API has the reason under the request id ${requestId}.`;
  return { status: ERRORS.CM002.httpStatus, code: 'CM002', message, retryable: ERRORS.CM002.retryable };
}

function fromClientError({ kind, code, message, issues, state, firstSeq, isReplayed }: ClientError): ErrorResponse {
  const details = {
    ...(issues.length === 0 ? {} : { issues }),
    ...(state === undefined ? {} : { state }),
    ...(firstSeq === undefined ? {} : { firstSeq, nextAfter: firstSeq - 1 }),
  };
  return {
    status: STATUS_BY_KIND[kind] ?? ERRORS[code].httpStatus,
    code,
    message,
    ...(Object.keys(details).length === 0 ? {} : { details }),
    retryable: ERRORS[code].retryable,
    headers: {
      ...(kind === 'unavailable' || kind === 'too-many' ? RETRY_AFTER : {}),
      ...(isReplayed ? REPLAYED : {}),
    },
  };
}

/** FA001: the request is not valid HTTP for this API. */
export function requestError(
  status: number,
  message: string,
  more: Pick<ErrorResponse, 'details' | 'headers'> = {},
): ErrorResponse {
  return { status, code: 'FA001', message, retryable: ERRORS.FA001.retryable, ...more };
}

function toSentence(text: string): string {
  return text === '' ? 'The request is not valid.' : `${text.replace(/\.$/, '')}.`;
}
