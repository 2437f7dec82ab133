import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { APIResponse } from '../contracts/api';
import { SYSTEM_VERSION_TEXT } from '../contracts/modules/version';
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

/** S1.61 of an answer that worked. */
export function success<T>(c: ApiContext, data: T) {
  return { success: true, data, metadata: metadataOf(c) } satisfies APIResponse<T>;
}

/** Answers with `data` in the envelope. */
export function answer<T, S extends 200 | 201 | 202>(c: ApiContext, data: T, status: S) {
  return c.json(success(c, data), status);
}

/** S1.61 and S1.62 of one that did not. */
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
