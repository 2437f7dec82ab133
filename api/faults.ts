import { HTTPException } from 'hono/http-exception';
import { ClientError, type ClientErrorKind } from '../client/port';
import { ERROR_TABLE, type ErrorCode } from '../contracts/errors';
import { httpStatusOf } from '../contracts/http-status';
import type { ConfigIssue } from '../contracts/resolve-config';

/** An answer that says no. */
export interface Fault {
  status: number;
  /** S1.38. */
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
  retryable: boolean;
  headers?: Record<string, string>;
}

/** Thrown by routes and guards for what the HTTP layer itself refuses. */
export class Refusal extends Error {
  constructor(
    readonly fault: Fault,
    cause?: unknown,
  ) {
    super(fault.message, { cause });
    this.name = 'Refusal';
  }
}

/** What HTTP has a status for that no code of ours can tell; the others have that of their code. */
const STATUS: Partial<Record<ClientErrorKind, number>> = {
  gone: 410,
  'wrong-state': 409,
  conflict: 409,
  unavailable: 503,
};
export const RETRY_AFTER = { 'Retry-After': '5' };

/** The one translator of errors to answers (S1.A19). Undefined: an error nobody foresaw, whose text stays inside. */
export function toFault(error: unknown): Fault | undefined {
  if (error instanceof ClientError) return fromClient(error);
  if (error instanceof Refusal) return error.fault;
  // Hono's own refusals, such as a body that is no JSON.
  if (error instanceof HTTPException) return requestFault(error.status, sentence(error.message));
  return undefined;
}

export function invalidRequest(issues: readonly ConfigIssue[]): Fault {
  const told = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return requestFault(400, `The request is not valid: ${told}`, { details: { issues } });
}

export function unforeseen(requestId: string): Fault {
  const message = `This went wrong on our side. The log of the API has the reason under the request id ${requestId}.`;
  return { status: httpStatusOf('CM002'), code: 'CM002', message, retryable: ERROR_TABLE.CM002.retryable };
}

function fromClient({ kind, code, message, issues, state }: ClientError): Fault {
  const details = { ...(issues.length === 0 ? {} : { issues }), ...(state === undefined ? {} : { state }) };
  return {
    status: STATUS[kind] ?? httpStatusOf(code),
    code,
    message,
    ...(Object.keys(details).length === 0 ? {} : { details }),
    retryable: ERROR_TABLE[code].retryable,
    ...(kind === 'unavailable' || kind === 'too-many' ? { headers: RETRY_AFTER } : {}),
  };
}

/** FA001: the request as HTTP is not what is served here. */
export function requestFault(status: number, message: string, more: Pick<Fault, 'details' | 'headers'> = {}): Fault {
  return { status, code: 'FA001', message, retryable: ERROR_TABLE.FA001.retryable, ...more };
}

function sentence(text: string): string {
  return text === '' ? 'The request is not valid.' : `${text.replace(/\.$/, '')}.`;
}
