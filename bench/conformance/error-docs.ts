import { ERROR_CODES, ERROR_TABLE, type ErrorCode } from '../../contracts/errors/standard-error';
import { ERROR_GUIDE } from '../../contracts/errors/error-guide';
import { httpStatusOf } from '../../contracts/errors/http-status';

/** docs/errors.md, from the error table: each code, when, what to do. */
export function errorDocs(): string {
  return [
    '# Errors',
    '',
    'Every error that Surefoot tells carries one of these codes, in the log, in the results of steps and in the answers of the API. Written by `npm run conformance` from contracts/errors/standard-error.ts and contracts/errors/error-guide.ts; change it there.',
    '',
    '`recoverable`: the session can go on, or a new one can be started, once the cause is gone. `retryable`: the same again may work; the engine tries by itself within the limits of the session. `HTTP`: the status of an answer that says no with this code, unless the state of the session (409, 410) or a system that is away (503) is the reason.',
    '',
    ...Object.entries(ERROR_CODES).flatMap(([module, codes]) => [
      `## ${module}`,
      '',
      ...Object.entries(codes).flatMap(([key, code]) => entry(key, code)),
    ]),
  ].join('\n');
}

function entry(key: string, code: ErrorCode): string[] {
  const { category, severity, recoverable, retryable } = ERROR_TABLE[code];
  const { when, suggestedAction } = ERROR_GUIDE[code];
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  return [
    `### ${code} ${key}`,
    '',
    `- When: ${when}.`,
    `- What to do: ${suggestedAction}`,
    `- ${category}, ${severity}; recoverable: ${yes(recoverable)}; retryable: ${yes(retryable)}; HTTP ${httpStatusOf(code)}.`,
    '',
  ];
}
