import { SECRET_MARK } from '../../contracts/resources';
import type { BrowserParameters } from '../../contracts/commands';
import type { VariableRow } from '../../store/variables';
import { EngineError } from '../failures';

const NAME_IN_TEXT = /\$\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;
const MAX_DEPTH = 10;

/** The variables of a session with their values, and what must not be told of them. Lives in the activity only. */
export interface Values {
  /** Fills in `${name}`, also inside values, to depth 10; an unknown name stays as it is. */
  fill(parameters: BrowserParameters): { parameters: BrowserParameters; isSecret: boolean };
  /** The variable from the environment whose value this is, as a whole. */
  secretNameOf(value: string): string | undefined;
  /** The value of a variable from the environment; undefined when there is none (any more), or its source is not set. */
  secretOf(name: string): string | undefined;
  /** Replaces every known secret by its mark. */
  redact(text: string): string;
  /** The same for every text in a value; names of members stay. */
  redactAll<T>(value: T): T;
  /** Whatever stands in a password field is a secret from then on. */
  learnSecret(value: string): void;
  /** True when some variable has its value from the environment. */
  hasSecrets: boolean;
}

/** A shorter one would be found in every other text: it is masked only where it is the whole text. */
const SHORTEST_INSIDE_TEXT = 4;

export function createValues(rows: readonly VariableRow[], env: NodeJS.ProcessEnv): Values {
  const secrets = new Set<string>();
  /** As they may be written, longest first: one secret may begin with another. */
  let written: string[] = [];
  const byName = new Map(rows.map((row) => [row.name, row]));

  function learn(value: string): void {
    if (value === '' || secrets.has(value)) return;
    secrets.add(value);
    if (value.length < SHORTEST_INSIDE_TEXT) return;
    written = [...new Set([...written, ...formsOf(value)])].sort((one, other) => other.length - one.length);
  }
  for (const { env: source } of rows) if (source !== null) learn(env[source] ?? '');

  function redact(text: string): string {
    if (secrets.has(text)) return SECRET_MARK;
    return written.reduce((shown, form) => shown.replaceAll(form, SECRET_MARK), text);
  }
  function redactAll(value: unknown): unknown {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(redactAll);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redactAll(member)]));
  }

  const secretOf = (name: string): string | undefined => {
    const source = byName.get(name)?.env ?? undefined;
    return source === undefined ? undefined : env[source];
  };

  return {
    secretOf,
    secretNameOf: (value) => (value === '' ? undefined : rows.find(({ name }) => secretOf(name) === value)?.name),
    hasSecrets: rows.some(({ env: source }) => source !== null),
    fill(parameters) {
      let isSecret = false;
      const fillText = (text: string, depth: number): string =>
        text.replaceAll(NAME_IN_TEXT, (whole, name: string) => {
          const row = byName.get(name);
          const value = row === undefined ? undefined : valueOf(row, env);
          if (value === undefined) return whole;
          if (depth >= MAX_DEPTH) {
            throw new EngineError(
              'SM002',
              `The variable ${name} refers to itself, or variables are nested more than ${MAX_DEPTH} deep.`,
            );
          }
          isSecret ||= row?.env !== null;
          // What comes from the environment is taken as it is.
          return row?.env === null ? fillText(value, depth + 1) : value;
        });
      const filled = Object.entries(parameters).map(([key, value]) => [
        key,
        typeof value === 'string' ? fillText(value, 0) : value,
      ]);
      return { parameters: Object.fromEntries(filled) as BrowserParameters, isSecret };
    },
    redact,
    redactAll: <T>(value: T) => (secrets.size === 0 ? value : (redactAll(value) as T)),
    learnSecret: learn,
  };
}

function valueOf({ name, value, env: source }: VariableRow, env: NodeJS.ProcessEnv): string | undefined {
  if (source === null) return value ?? undefined;
  const found = env[source];
  if (found !== undefined) return found;
  throw new EngineError(
    'SM002',
    `The variable ${name} is to come from the environment variable ${source}, which is not set at the browser worker.`,
    {
      suggestedAction: `Start the workers with ${source} set.`,
    },
  );
}

/** As a page's text and attributes, JSON, addresses and forms write it. */
function formsOf(secret: string): string[] {
  const text = secret.toWellFormed();
  const inHtml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const inForm = new URLSearchParams([['', text]]).toString().slice(1);
  return [
    secret,
    inHtml,
    inHtml.replaceAll('"', '&quot;'),
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(text),
    encodeURI(text),
    inForm,
  ];
}
