import { defineErrors, ErrorCategory, ErrorSeverity } from '../error-definition';

const { SYSTEM, INTEGRATION, VALIDATION, USER } = ErrorCategory;
const { HIGH, LOW, MEDIUM } = ErrorSeverity;

export const EXECUTOR_STREAMER = defineErrors({
  STREAM_CREATION_FAILED: {
    code: 'ES001',
    category: SYSTEM,
    severity: HIGH,
    recoverable: true,
    retryable: true,
    httpStatus: 500,
    executionType: 'internal',
    when: 'the stream of a session could not be opened: the database is unavailable, or the limit of open streams is reached',
    suggestedAction: 'Check the database, or wait as long as Retry-After says; connect again with the last event id.',
  },
  CLIENT_CONNECTION_ERROR: {
    code: 'ES002',
    category: INTEGRATION,
    severity: LOW,
    recoverable: true,
    retryable: true,
    httpStatus: 502,
    executionType: 'internal',
    when: 'the connection to a viewer of a stream broke or stalled',
    suggestedAction: 'Connect again with the last event id: nothing is lost.',
  },
  EVENT_PUBLISHING_FAILED: {
    code: 'ES003',
    category: INTEGRATION,
    severity: LOW,
    recoverable: true,
    retryable: true,
    httpStatus: 502,
    executionType: 'internal',
    when: 'an event could not be written to the log',
    suggestedAction: 'Check the database; the engine writes the event when the database answers again.',
  },
});

export const FRONTEND_API = defineErrors({
  REQUEST_VALIDATION_FAILED: {
    code: 'FA001',
    category: VALIDATION,
    severity: MEDIUM,
    recoverable: false,
    retryable: false,
    httpStatus: 400,
    executionType: 'validation',
    when: 'an HTTP request does not fit the API',
    suggestedAction: 'Compare the request with the documentation at /docs.',
  },
  AUTHENTICATION_FAILED: {
    code: 'FA002',
    category: USER,
    severity: MEDIUM,
    recoverable: true,
    retryable: false,
    httpStatus: 401,
    executionType: 'validation',
    when: 'the caller of the API is not authenticated',
    suggestedAction: 'Send valid credentials.',
  },
  RATE_LIMIT_EXCEEDED: {
    code: 'FA003',
    category: SYSTEM,
    severity: LOW,
    recoverable: true,
    retryable: true,
    httpStatus: 429,
    executionType: 'rate_limited',
    when: 'the caller has exceeded the rate limit',
    suggestedAction: 'Wait as long as Retry-After says, then send the request again.',
  },
});
