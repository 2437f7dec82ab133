import { ERROR_DEFINITIONS } from '../../contracts/errors/error-codes';
import type { ErrorDefinition } from '../../contracts/errors/error-definition';

/** Writes docs/reference/errors.md from the definitions of the errors: each code, when it is raised, what to do. */
export function describeErrors(): string {
  return [
    '# Errors',
    '',
    'The codes of errors in the log, in results of steps and in answers of the API: when each is raised, and what to do. `recoverable`: the session can go on, or a new one can start, once the cause is gone. `retryable`: the same again may work; the engine retries. The number is the HTTP status, unless the state of the session (409, 410) or an unavailable system (503) is the reason.',
    '',
    'This page is generated from contracts/errors by `npm run docs`.',
    '',
    ...Object.entries<Record<string, ErrorDefinition>>(ERROR_DEFINITIONS).flatMap(([module, definitions]) => [
      `## ${module}`,
      '',
      ...Object.entries(definitions).flatMap(([key, definition]) => toEntry(key, definition)),
    ]),
  ].join('\n');
}

function toEntry(key: string, definition: ErrorDefinition): string[] {
  const { code, recoverable, retryable, httpStatus, when, suggestedAction } = definition;
  const properties = [recoverable ? 'recoverable' : '', retryable ? 'retryable' : ''].filter((word) => word !== '');
  return [
    `### ${code} ${key}`,
    '',
    `${when.charAt(0).toUpperCase()}${when.slice(1)}. ${suggestedAction} (${[...properties, httpStatus].join(', ')})`,
    '',
  ];
}
