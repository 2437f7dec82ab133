import type { z } from 'zod';

/** What a vendor finds wrong with a request: where, and what. */
export interface Fault {
  path: string;
  message: string;
  /** A member that the reference does not know. */
  isUnknown?: boolean;
}

/** Checks a body with a schema of the vendor's reference; a member that it does not name is a fault. */
export function shapeFaults(schema: z.ZodType, body: unknown): Fault[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : issueFaults(parsed.error.issues, []);
}

function issueFaults(issues: readonly z.core.$ZodIssue[], before: PropertyKey[]): Fault[] {
  return issues.flatMap((issue): Fault[] => {
    const path = [...before, ...issue.path];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'unknown member', isUnknown: true }));
    // Of a choice, the faults of the form that comes closest.
    const [closest] =
      issue.code === 'invalid_union' ? [...issue.errors].sort((one, other) => depthOf(other) - depthOf(one)) : [];
    if (closest !== undefined && closest.length > 0) return issueFaults(closest, path);
    return [{ path: path.join('.'), message: issue.message }];
  });
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(...issues.map(({ path, code }) => path.length + (code === 'unrecognized_keys' ? 0.5 : 0)));
}

/** Faults of a JSON schema at every place in it. */
export function schemaFaults(
  schema: unknown,
  check: (schema: Record<string, unknown>) => string[],
  path = 'schema',
): Fault[] {
  if (typeof schema !== 'object' || schema === null) return [{ path, message: 'no schema' }];
  const given = schema as Record<string, unknown>;
  const within = [
    ...Object.entries((given['properties'] ?? {}) as object).map(([name, each]) => [`${path}.${name}`, each]),
    ...(given['items'] === undefined ? [] : [[`${path}.items`, given['items']]]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((choice) =>
      ((given[choice] ?? []) as unknown[]).map((each, index) => [`${path}.${choice}.${index}`, each]),
    ),
  ] as [string, unknown][];
  return [
    ...check(given).map((message) => ({ path, message })),
    ...within.flatMap(([place, each]) => schemaFaults(each, check, place)),
  ];
}

/** OpenAI's structured outputs: all members required, and none beside them. */
export function openaiStrictFaults(schema: Record<string, unknown>): string[] {
  if (schema['type'] !== 'object') return [];
  const members = Object.keys((schema['properties'] ?? {}) as object);
  const required = (schema['required'] ?? []) as string[];
  return [
    ...(schema['additionalProperties'] === false
      ? []
      : ["'additionalProperties' is required to be supplied and to be false"]),
    ...(members.every((name) => required.includes(name))
      ? []
      : ["'required' is required to be supplied and to be an array including every key in properties"]),
  ];
}
