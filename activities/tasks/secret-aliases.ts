import type { SessionValues } from '../secrets/session-values';

/**
 * Arguments in which a model has written the value of a secret, with its name instead: it is filled in at the browser, in
 * fields of its origins alone. Text that is no JSON stays as it is; nothing is run with it.
 */
export function withSecretAliases(args: string, values: Pick<SessionValues, 'secretNameOf' | 'hasSecrets'>): string {
  if (!values.hasSecrets) return args;
  try {
    return JSON.stringify(named(JSON.parse(args), values));
  } catch {
    return args;
  }
}

function named(value: unknown, values: Pick<SessionValues, 'secretNameOf'>): unknown {
  if (typeof value === 'string') {
    const name = values.secretNameOf(value);
    return name === undefined ? value : `\${${name}}`;
  }
  if (Array.isArray(value)) return value.map((each) => named(each, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, named(member, values)]));
}
