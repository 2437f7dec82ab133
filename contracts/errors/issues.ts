import { z } from 'zod';

/** One thing wrong with an input: where, and what was expected, what came, what to do. */
export interface Issue {
  path: string;
  message: string;
}

/** What of an input does not fit a schema; empty for a valid one. */
export function inputIssues(schema: z.ZodType, input: unknown): Issue[] {
  const parsed = schema.safeParse(input);
  return parsed.success ? [] : issuesOf(parsed.error);
}

/** Formats the paths of zod issues as `steps[0].instruction`. For a union, reports the issues of its closest branch. */
export function issuesOf(error: z.ZodError, prefix: readonly PropertyKey[] = []): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const branch = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
      return issuesOf(new z.ZodError(branch as never), path);
    }
    if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path: pathText(path), message }));
    if (issue.code === 'unrecognized_keys') {
      // A schema may say what is to be written instead.
      const hint = issue.message.startsWith('Unrecognized key') ? '' : `; ${issue.message}`;
      return issue.keys.map((key) => ({ path: pathText([...path, key]), message: `unknown field ${key}${hint}` }));
    }
    return [{ path: pathText(path), message: issue.message }];
  });
}

function depth(issues: readonly { path: PropertyKey[]; code?: string | undefined }[]): number {
  return Math.max(...issues.map((issue) => issue.path.length * 2 + (issue.code === 'invalid_type' ? 0 : 1)));
}

/** Formats a path as `steps[0].instruction`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  );
}

/** Issues as one text: `steps[0]: expected …; config: unknown field x`. */
export function issuesText(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
