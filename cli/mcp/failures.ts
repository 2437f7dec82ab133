import { ApiError } from '../../client/http/api-error';
import { oneLineOf } from '../context/failure';

const CODES_OF_OUTAGE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
]);

/** Says in a sentence why a call failed, and what to do. */
export function describeFailure(error: unknown, api: string): string {
  if (error instanceof ApiError) {
    const { status, message, code, details } = error;
    if (status === 401) return `${message} Start surefoot mcp with the token of the API in SUREFOOT_API_TOKEN.`;
    const issues = issuesIn(details).filter((issue) => !message.includes(issue));
    return [message, ...issues, ...(code === undefined ? [] : [`(${code})`])].join(' ');
  }
  if (isApiOutage(error))
    return `The API of Surefoot does not answer at ${api}. Start it with \`surefoot dev\`, or give its address with \`surefoot mcp --api URL\`; then call again. A session that was started goes on meanwhile.`;
  return `Unexpected error: ${oneLineOf(error)}`;
}

function issuesIn(details: Record<string, unknown> | undefined): string[] {
  const issues = details?.['issues'];
  if (!Array.isArray(issues)) return [];
  return issues.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}.`);
}

export function isApiOutage(error: unknown): boolean {
  if (error instanceof ApiError) return error.retryable || error.status >= 500;
  if (!(error instanceof Error)) return false;
  const causes: unknown[] = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return error.message === 'fetch failed' || causes.some((each) => CODES_OF_OUTAGE.has(codeOf(each)));
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
