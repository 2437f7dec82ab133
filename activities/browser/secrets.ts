import { SECRET_MARK } from '../../contracts/resources';
import type { BrowserParameters } from '../../contracts/commands';
import type { VariableRow } from '../../store/variables';
import { EngineError } from '../failures';

const NAME_IN_TEXT = /\$\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;
const MAX_DEPTH = 10;

/** The variables of a session with their values, and what must not be told of them. Lives in the activity only. */
export interface Values {
  /** Fills in `${name}`, also inside values, to depth 10; an unknown name stays as it is. */
  fill(parameters: BrowserParameters): BrowserParameters;
  /** Replaces every known secret by its mark. */
  redact(text: string): string;
  /** Password fields show their values in a look: they are secrets from then on. */
  learnSecret(value: string): void;
}

/** Values from the environment are secrets; a short one is still never written where it stands alone as a variable. */
const SHORTEST_REDACTED = 4;

export function createValues(rows: readonly VariableRow[], env: NodeJS.ProcessEnv): Values {
  const secrets = new Set<string>();
  const values = new Map(rows.map((row) => [row.name, () => valueOf(row, env)]));
  for (const row of rows) {
    const secret = row.env === null ? undefined : env[row.env];
    if (secret !== undefined) learn(secret);
  }
  function learn(value: string): void {
    if (value.length >= SHORTEST_REDACTED) secrets.add(value);
  }
  function fillText(text: string, depth: number): string {
    return text.replaceAll(NAME_IN_TEXT, (whole, name: string) => {
      const value = values.get(name)?.();
      if (value === undefined) return whole;
      if (depth >= MAX_DEPTH) {
        throw new EngineError(
          'SM002',
          `The variable ${name} refers to itself, or variables are nested more than ${MAX_DEPTH} deep.`,
        );
      }
      return fillText(value, depth + 1);
    });
  }
  return {
    fill(parameters) {
      const filled = Object.entries(parameters).map(([key, value]) => [
        key,
        typeof value === 'string' ? fillText(value, 0) : value,
      ]);
      return Object.fromEntries(filled) as BrowserParameters;
    },
    redact(text) {
      let shown = text;
      for (const secret of secrets) {
        for (const form of [secret, escapeHtml(secret), JSON.stringify(secret).slice(1, -1)])
          shown = shown.replaceAll(form, SECRET_MARK);
      }
      return shown;
    },
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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
