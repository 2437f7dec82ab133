import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { APIResponse } from '../../contracts/api';
import { SYSTEM_VERSION_TEXT } from '../../contracts/modules/version';
import type { ApiContext } from './context';
import type { ErrorResponse } from './error-response';

export function metadataOf(c: ApiContext) {
  return {
    timestamp: new Date().toISOString(),
    requestId: c.var.requestId,
    version: SYSTEM_VERSION_TEXT,
    processingTimeMs: Math.round((performance.now() - c.var.startedAt) * 10) / 10,
  };
}

/** Wraps the data of a successful answer (S1.61). */
export function success<T>(c: ApiContext, data: T) {
  return { success: true, data, metadata: metadataOf(c) } satisfies APIResponse<T>;
}

/** Answers with `data` in the envelope. */
export function respond<T, S extends 200 | 201 | 202>(c: ApiContext, data: T, status: S) {
  return c.json(success(c, data), status);
}

/** Answers with an error (S1.61, S1.62). */
export function failure(c: ApiContext, fault: ErrorResponse): Response {
  const { status, code, message, details, retryable, headers = {} } = fault;
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const error = { code, message, ...(details === undefined ? {} : { details }), retryable };
  const timestamp = new Date().toISOString();
  return c.json(
    { success: false, error: { ...error, timestamp }, metadata: metadataOf(c) },
    status as ContentfulStatusCode,
  );
}
