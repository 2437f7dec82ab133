import { ERROR_DEFINITIONS } from '../../contracts/errors/error-codes';
import type { ErrorDefinition } from '../../contracts/errors/error-definition';

/** Writes docs/reference/errors.md from the definitions of the errors: each code, when it is raised, what to do. */
export function describeErrors(): string {
  return [
    '# Errors',
    '',
    'Every error carries one of these codes: in the log, in the results of steps and in the answers of the API. `npm run docs` writes this page from contracts/errors/definitions.',
    '',
    'Each code says when it is raised and what to do. `recoverable`: the session can go on, or a new one can start, once the cause is gone. `retryable`: the same again may work; the engine retries within the limits of the session. The number is the HTTP status of an answer with this code, unless the state of the session (409, 410) or an unavailable system (503) is the reason.',
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
