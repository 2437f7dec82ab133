import type { BrowserParameters } from '../../contracts/commands/commands';
import type { SecretRow } from '../../store/sessions/secrets';
import type { Store } from '../../store/store';
import type { VariableRow } from '../../store/sessions/variables';
import { EngineError } from '../failures';
import { Redactor } from './redaction';

const NAME_IN_TEXT = /\$\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;
const MAX_DEPTH = 10;

/** A secret that a parameter has in it now, and the origins whose fields it may be typed into. */
export interface BoundSecret {
  alias: string;
  origins: readonly string[];
  member: string;
}

export interface FilledParameters {
  parameters: BrowserParameters;
  /** Some value came from the environment, or is a secret. */
  isSecret: boolean;
  secrets: BoundSecret[];
}

/** The variables and secrets of a session with their values, and what must not be told. Lives in the activity only. */
export interface SessionValues {
  /** Fills in `${name}`, also inside given values, to depth 10; an unknown name stays as it is. */
  fill(parameters: BrowserParameters): FilledParameters;
  /** The variable or secret whose value this is, as a whole. */
  secretNameOf(value: string): string | undefined;
  /** Its value, for a field of this origin; undefined when there is none (any more), or it may not be typed there. */
  secretOf(name: string, origin: string | undefined): string | undefined;
  isAlias(name: string): boolean;
  /** Replaces every known secret by its mark. */
  redact(text: string): string;
  /** The same for every text in a value; names of members stay. */
  redactAll<T>(value: T): T;
  /** Whatever stands in a password field, or where a secret was typed, is a secret from then on. */
  addSecret(value: string): void;
  /** True when some value came from the environment, or is a secret. */
  hasSecrets: boolean;
  /** An expression that finds what must not be shown; undefined where that is nothing. */
  readonly secretPattern: string | undefined;
  /** Most characters that a secret takes in a text. */
  readonly maxSecretLength: number;
}

export async function loadSessionValues(
  store: Store,
  sessionId: string,
  env: NodeJS.ProcessEnv,
): Promise<SessionValues> {
  const [variables, secrets] = await Promise.all([
    store.variables.ofSession(sessionId),
    store.secrets.ofSession(sessionId),
  ]);
  return createSessionValues(variables, env, secrets);
}

/** Runs it; what it throws tells no secret. While they can't be read that is thrown instead, and all is tried again. */
export async function redactingErrors<T>(
  { store, env }: { store: Store; env: NodeJS.ProcessEnv },
  sessionId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw redactError(error, await loadSessionValues(store, sessionId, env));
  }
}

/** Temporal keeps the message and the stack of what an activity throws, and of its causes. */
export function redactError(error: unknown, values: SessionValues): unknown {
  for (let each = error; isErrorLike(each); each = each.cause) {
    for (const part of ['message', 'stack'] as const) {
      const told = each[part];
      const value = told === undefined ? told : values.redact(told);
      // An abort's error can't be written to as others can.
      if (value !== told) Object.defineProperty(each, part, { value, configurable: true, writable: true });
    }
  }
  return error;
}

function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

export function createSessionValues(
  rows: readonly VariableRow[],
  env: NodeJS.ProcessEnv,
  secrets: readonly SecretRow[] = [],
): SessionValues {
  const redaction = new Redactor();
  const byAlias = new Map(secrets.map((secret) => [secret.alias, secret]));
  const byName = new Map(rows.map((row) => [row.name, row]));
  const secretValueOf = ({ source }: SecretRow): string | undefined =>
    source.kind === 'value' ? source.value : source.kind === 'env' ? env[source.env] : undefined;
  for (const { env: source } of rows) if (source !== null) redaction.add(env[source] ?? '');
  for (const secret of secrets) redaction.add(secretValueOf(secret) ?? '');

  function redactAll(value: unknown): unknown {
    if (typeof value === 'string') return redaction.redact(value);
    if (Array.isArray(value)) return value.map(redactAll);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactAll(member)]));
  }

  const fromEnvironment = (name: string): string | undefined => {
    const source = byName.get(name)?.env ?? undefined;
    return source === undefined ? undefined : env[source];
  };
  const known = [
    ...secrets.map((secret) => ({ name: secret.alias, value: secretValueOf(secret) })),
    ...rows.map(({ name }) => ({ name, value: fromEnvironment(name) })),
  ];

  return {
    secretOf(name, origin) {
      const secret = byAlias.get(name);
      if (secret === undefined) return fromEnvironment(name);
      return origin !== undefined && secret.origins.includes(origin) ? secretValueOf(secret) : undefined;
    },
    secretNameOf: (value) => (value === '' ? undefined : known.find((each) => each.value === value)?.name),
    isAlias: (name) => byAlias.has(name),
    hasSecrets: secrets.length > 0 || rows.some(({ env: source }) => source !== null),
    fill(parameters) {
      let isSecret = false;
      const bound: BoundSecret[] = [];
      const fillText = (member: string, text: string, depth: number): string =>
        text.replaceAll(NAME_IN_TEXT, (whole, name: string) => {
          const secret = byAlias.get(name);
          if (secret !== undefined) {
            isSecret = true;
            bound.push({ alias: name, origins: secret.origins, member });
            return secretValueOf(secret) ?? throwUnavailable(secret);
          }
          const row = byName.get(name);
          const value = row === undefined ? undefined : variableValueOf(row, env);
          if (value === undefined) return whole;
          if (depth >= MAX_DEPTH) {
            throw new EngineError(
              'SM002',
              `The variable ${name} refers to itself, or variables are nested more than ${MAX_DEPTH} deep.`,
            );
          }
          isSecret ||= row?.env !== null;
          // What comes from the environment, or from a page, is taken as it is.
          return row?.env === null && row.source === 'user_input' ? fillText(member, value, depth + 1) : value;
        });
      const filled = Object.entries(parameters).map(([key, value]) => [
        key,
        typeof value === 'string' ? fillText(key, value, 0) : value,
      ]);
      return { parameters: Object.fromEntries(filled) as BrowserParameters, isSecret, secrets: bound };
    },
    redact: (text) => redaction.redact(text),
    redactAll: <T>(value: T) => (redaction.isEmpty ? value : (redactAll(value) as T)),
    addSecret: (value) => redaction.add(value),
    get secretPattern() {
      return redaction.pattern;
    },
    get maxSecretLength() {
      return redaction.maxLength;
    },
  };
}

function variableValueOf({ name, value, env: source }: VariableRow, env: NodeJS.ProcessEnv): string | undefined {
  if (source === null) return value ?? undefined;
  return env[source] ?? throwNotSet(`variable ${name}`, source);
}

function throwUnavailable({ alias, source }: SecretRow): never {
  if (source.kind === 'env') return throwNotSet(`secret ${alias}`, source.env);
  throw new EngineError(
    'SM002',
    `The secret ${alias} has no value here. ${source.kind === 'missing' ? source.reason : ''}`,
  );
}

function throwNotSet(what: string, env: string): never {
  throw new EngineError(
    'SM002',
    `The ${what} is to come from the environment variable ${env}, which is not set at the browser worker.`,
    { suggestedAction: `Start the workers with ${env} set.` },
  );
}
