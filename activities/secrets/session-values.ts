import type { AskedAs } from '../../contracts/approvals/asked-secret';
import type { BrowserParameters } from '../../contracts/commands/commands';
import type { GivenAnswer, SecretRow } from '../../store/sessions/secrets';
import type { Store } from '../../store/store';
import type { VariableRow } from '../../store/sessions/variables';
import { EngineError } from '../activity/failures';
import { EXPECTED_SEED, parseSeed, type CodeSeed } from '../../runtime/one-time-codes';
import { Redactor } from './redaction';
import { mapTexts } from '../../contracts/json';

type ValueRow = Pick<VariableRow, 'name' | 'value' | 'env' | 'source'>;

const NAME_IN_TEXT = /\$\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;
const MAX_DEPTH = 10;

/** A secret in a parameter, with the origins whose fields may receive it. */
export interface BoundSecret {
  alias: string;
  origins: readonly string[];
  member: string;
  /** Present where it is typed as a one-time code: the parameter still has `${alias}`, until the moment it is typed. */
  seed?: CodeSeed | undefined;
  /** Present where a person is asked for it: what was answered so far. The parameter still has `${alias}` as well. */
  asked?: { as: AskedAs; answers: readonly GivenAnswer[] } | undefined;
}

export interface FilledParameters {
  parameters: BrowserParameters;
  /** True when a value came from the environment, or is a secret. */
  isSecret: boolean;
  secrets: BoundSecret[];
}

/** What a page is searched for before a picture of it is taken. */
export interface PageSearch {
  /** Source of a regular expression. */
  pattern: string;
  /** Letters and digits of secrets: what a text has whose other characters are left out. */
  folds: readonly string[];
}

/** The variables and secrets of a session with their values. They never leave the activity. */
export interface SessionValues {
  /** Replaces `${name}`, also inside values, to depth 10; an unknown name stays. */
  fill(parameters: BrowserParameters): FilledParameters;
  /** Keeps what a command of this batch has saved for those after it. */
  save(name: string, value: string): void;
  /** The name of the variable or secret with exactly this value. */
  secretNameOf(value: string): string | undefined;
  /** The value for a field of this origin; undefined when there is none, or when it may not be typed there. */
  secretOf(name: string, origin: string | undefined): string | undefined;
  isAlias(name: string): boolean;
  /** Whether a person is asked for a value in these parameters. */
  asksPerson(parameters: BrowserParameters): boolean;
  /** Replaces every known secret in a text. */
  redact(text: string): string;
  /** Redacts texts that a reader reads one after the other: a secret may begin in one and end in another. */
  redactTogether(texts: readonly string[]): string[];
  /** Redacts every text in a value; names of members stay. */
  redactAll<T>(value: T): T;
  /** Treats a value as a secret from now on. */
  addSecret(value: string): void;
  /** True when a value came from the environment, or is a secret. */
  hasSecrets: boolean;
  /** Throws where what is to be a seed of one-time codes is none. */
  assertSeeds(): void;
  /** Up to where a text that is being written can be published; see Redactor. */
  wholeUntil(text: string): number;
  /** How a page is searched for secrets; undefined without any that can be part of a text. */
  readonly pageSearch: PageSearch | undefined;
}

export async function loadSessionValues(
  store: Store,
  sessionId: string,
  env: NodeJS.ProcessEnv,
): Promise<SessionValues> {
  const [variables, secrets, callerKey] = await Promise.all([
    store.variables.ofSession(sessionId),
    store.secrets.ofSession(sessionId),
    store.secrets.callerKey(sessionId),
  ]);
  const values = createSessionValues(variables, env, secrets);
  values.addSecret(callerKey?.key ?? '');
  return values;
}

export function createSessionValues(
  rows: readonly VariableRow[],
  env: NodeJS.ProcessEnv,
  secrets: readonly SecretRow[] = [],
): SessionValues {
  const redaction = new Redactor();
  const byAlias = new Map(secrets.map((secret) => [secret.alias, secret]));
  const byName = new Map<string, ValueRow>(rows.map((row) => [row.name, row]));
  const secretValueOf = ({ source }: SecretRow): string | undefined =>
    source.kind === 'value' ? source.value : source.kind === 'env' ? env[source.env] : undefined;
  const seeds = new Map<string, CodeSeed | undefined>();
  for (const { env: source } of rows) if (source !== null) redaction.add(env[source] ?? '');
  for (const secret of secrets) {
    const value = secretValueOf(secret) ?? '';
    redaction.add(value);
    for (const answer of answersOf(secret)) for (const part of secretParts(answer.value)) redaction.add(part);
    if (secret.typedSteps === undefined || value === '') continue;
    const seed = parseSeed(value);
    seeds.set(secret.alias, seed);
    redaction.add(seed?.secret ?? '');
    for (const step of secret.typedSteps) redaction.add(seed?.codeOf(step) ?? '');
  }
  const texts = secrets.filter(({ typedSteps, source }) => typedSteps === undefined && source.kind !== 'person');

  const fromEnvironment = (name: string): string | undefined => {
    const source = byName.get(name)?.env ?? undefined;
    return source === undefined ? undefined : env[source];
  };
  const known = [
    ...texts.map((secret) => ({ name: secret.alias, value: secretValueOf(secret) })),
    ...rows.map(({ name }) => ({ name, value: fromEnvironment(name) })),
  ];

  return {
    secretOf(name, origin) {
      const secret = byAlias.get(name);
      if (secret === undefined) return fromEnvironment(name);
      if (!texts.includes(secret)) return undefined;
      return origin !== undefined && secret.origins.includes(origin) ? secretValueOf(secret) : undefined;
    },
    save: (name, value) => void byName.set(name, { name, value, env: null, source: 'extracted' }),
    secretNameOf: (value) => (value === '' ? undefined : known.find((each) => each.value === value)?.name),
    isAlias: (name) => byAlias.has(name),
    asksPerson(parameters) {
      if (!secrets.some(({ source }) => source.kind === 'person')) return false;
      try {
        return this.fill(parameters).secrets.some(({ asked }) => asked !== undefined);
      } catch {
        // Whoever fills them in for use says what is wrong.
        return false;
      }
    },
    hasSecrets: secrets.length > 0 || rows.some(({ env: source }) => source !== null),
    fill(parameters) {
      let isSecret = false;
      const bound: BoundSecret[] = [];
      const fillText = (member: string, text: string, depth: number): string =>
        text.replaceAll(NAME_IN_TEXT, (whole, name: string) => {
          const secret = byAlias.get(name);
          if (secret !== undefined) {
            isSecret = true;
            const { origins, typedSteps } = secret;
            const seed = seeds.get(name);
            const asked = secret.source.kind === 'person' ? secret.source : undefined;
            bound.push({ alias: name, origins, member, ...(seed && { seed }), ...(asked && { asked }) });
            if (asked !== undefined) return whole;
            const value = secretValueOf(secret) ?? throwUnavailable(secret);
            if (typedSteps === undefined) return value;
            return seed === undefined ? throwNoSeed(secret) : whole;
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
          // Values from the environment, or from a page, are not expanded.
          return row?.env === null && row.source === 'user_input' ? fillText(member, value, depth + 1) : value;
        });
      const filled = Object.entries(parameters).map(([key, value]) => [
        key,
        typeof value === 'string' ? fillText(key, value, 0) : value,
      ]);
      return { parameters: Object.fromEntries(filled) as BrowserParameters, isSecret, secrets: bound };
    },
    assertSeeds() {
      const bad = secrets.find(({ alias }) => seeds.has(alias) && seeds.get(alias) === undefined);
      if (bad !== undefined) throwNoSeed(bad);
    },
    redact: (text) => redaction.redact(text),
    redactAll: <T>(value: T) => (redaction.isEmpty ? value : mapTexts(value, (text) => redaction.redact(text))),
    addSecret: (value) => redaction.add(value),
    redactTogether: (texts) => redaction.redactTogether(texts),
    wholeUntil: (text) => redaction.wholeUntil(text),
    get pageSearch() {
      const { pattern, folds } = redaction;
      return pattern === undefined ? undefined : { pattern, folds };
    },
  };
}

function answersOf({ source }: SecretRow): readonly GivenAnswer[] {
  return source.kind === 'person' ? source.answers : [];
}

/** Shorter parts of an address, and those without a digit, are words of the site. */
const LEAST_PART = 6;

/** An answer, and of a link the parts that may show up without the rest. */
function secretParts(answer: string): string[] {
  if (!/^https?:\/\//i.test(answer) || !URL.canParse(answer)) return [answer];
  const { searchParams, hash, pathname } = new URL(answer);
  const parts = [...searchParams.values(), hash.slice(1), ...pathname.split('/')];
  return [answer, ...parts.filter((part) => part.length >= LEAST_PART && /\d/.test(part))];
}

function variableValueOf({ name, value, env: source }: ValueRow, env: NodeJS.ProcessEnv): string | undefined {
  if (source === null) return value ?? undefined;
  return env[source] ?? throwNotSet(`variable ${name}`, source);
}

function throwUnavailable({ alias, source }: SecretRow): never {
  if (source.kind === 'env') return throwNotSet(`secret ${alias}`, source.env);
  if (source.kind === 'reference') return throwUnread(alias, source.reference);
  throw new EngineError(
    'SM002',
    `The secret ${alias} has no value here. ${source.kind === 'missing' ? source.reason : ''}`,
  );
}

function throwUnread(alias: string, reference: string): never {
  throw new EngineError('SM002', `The secret ${alias} is read from ${reference} by browser workers alone.`);
}

function throwNoSeed({ alias, source }: SecretRow): never {
  const where = source.kind === 'env' ? `the environment variable ${source.env} of the browser worker` : 'its value';
  throw new EngineError('SM002', `The secret ${alias} gives no codes by what ${where} has: ${EXPECTED_SEED}.`, {
    isFinal: true,
  });
}

function throwNotSet(what: string, env: string): never {
  throw new EngineError(
    'SM002',
    `The ${what} is to come from the environment variable ${env}, which is not set at the browser worker.`,
    { suggestedAction: `Start the workers with ${env} set.` },
  );
}
