import { ERROR_TABLE, type ErrorCategory, type ErrorCode } from './standard-error';

const BY_CATEGORY: Record<ErrorCategory, number> = {
  VALIDATION: 400,
  USER: 400,
  EXECUTION: 500,
  INTEGRATION: 502,
  SYSTEM: 500,
};

/** Named by S1.E, by the decisions over the notes (AI003), or a time that ran out. */
const BY_CODE: Partial<Record<ErrorCode, number>> = {
  SP003: 408,
  SP004: 429,
  EX004: 408,
  AI003: 503,
  CM001: 404,
  FA002: 401,
  FA003: 429,
};

/** S1.A19: the HTTP status of a code, by its own entry, else by its category. */
export function httpStatusOf(code: ErrorCode): number {
  return BY_CODE[code] ?? BY_CATEGORY[ERROR_TABLE[code].category];
}
