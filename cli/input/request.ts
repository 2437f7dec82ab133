import { parseStart, type ValidStart } from '../../contracts/sessions/start-request';
import type { Issue } from '../../contracts/errors/issues';
import type { SecretInput } from '../../contracts/sessions/secrets';
import type { BrowserType } from '../../contracts/browsers/browser-type';
import type { Isolation } from '../../contracts/browsers/isolation';
import type { BudgetLimits } from './budget-option';
import { CliError } from '../context/exit';
import { oneLineOf, toIssueLines } from '../context/failure';
import { asCalled } from '../terminal/as-called';
import { readSecrets, type SecretOption } from './secret-options';
import { readStepFile, type RequestDraft } from './step-input';
import type { ReplayMode } from '../../contracts/recipes/replay-mode';
import type { ApprovalMode } from '../../contracts/approvals/approval-mode';
import { isObject } from '../../contracts/json';
import { readFileSync } from 'node:fs';

export interface RequestOptions {
  file?: string;
  name?: string;
  /** The arguments are tasks. */
  task?: true;
  variable: readonly [name: string, value: string][];
  variableEnv: readonly [name: string, env: string][];
  secret?: readonly SecretOption[];
  totp?: readonly SecretOption[];
  envFile?: string;
  allowOrigin?: readonly string[];
  model?: string;
  /** In milliseconds. */
  modelTimeout?: number;
  maxIterations?: number;
  budget?: BudgetLimits;
  budgetEnd?: true;
  headed?: true;
  recording?: true;
  /** Who gets a mail when the session has failed. */
  mailOnFailure?: readonly string[];
  browser?: BrowserType;
  isolation?: Isolation;
  /** A conversation: it stays open for further tasks. */
  chat?: true;
  approvalMode?: ApprovalMode;
  tenant?: string;
  profile?: string;
  notBefore?: string;
  replay?: ReplayMode;
  replayOnly?: true;
  /** A file with a JSON schema. */
  resultSchema?: string;
}

/** Parses the request of arguments or a file; throws a CliError that lists every issue of an invalid request. */
export async function parseRequest(steps: readonly string[], options: RequestOptions): Promise<ValidStart> {
  const secrets = readSecrets([...(options.secret ?? []), ...(options.totp ?? [])], options.envFile);
  const parsed = parseStart(withOptions(await draftOf(steps, options), options, secrets));
  if (parsed.kind === 'valid') return parsed;
  throw wrongInput('The session was not started', parsed.issues);
}

/** `what` has happened, because of these issues. */
export function wrongInput(what: string, issues: readonly Issue[]): CliError {
  const count = issues.length === 1 ? 'one thing is' : `${issues.length} things are`;
  return new CliError(`${what}, ${count} wrong with it:`, toIssueLines(issues));
}

const HOW_TO_GIVE_STEPS = `Give them as arguments, in a file with --file, or on standard input with --file -; ${asCalled('run --help')} shows examples.`;

/** Reads the request of arguments or a file, without the options, and does not validate it. */
export async function draftOf(steps: readonly string[], { file, task, chat }: RequestOptions): Promise<RequestDraft> {
  if (steps.length > 0 && file !== undefined) {
    throw new CliError('Steps were given as arguments and with --file too; use one of them.');
  }
  if (chat === true && (file === '-' || (steps.length === 1 && steps[0] === '-'))) {
    throw new CliError(
      'With --chat, standard input has the messages; give the first task as an argument, or in a file.',
    );
  }
  if (steps.length === 1 && steps[0] === '-') return await readStepFile('-');
  if (steps.length > 0)
    return { steps: task === true || chat === true ? steps.map((text) => ({ task: text })) : steps };
  if (file === undefined && process.stdin.isTTY) throw new CliError(`There are no steps to run. ${HOW_TO_GIVE_STEPS}`);
  const draft = await readStepFile(file ?? '-');
  if (Array.isArray(draft.steps) && draft.steps.length === 0) {
    throw new CliError(`There are no steps in ${file ?? 'standard input'}. ${HOW_TO_GIVE_STEPS}`);
  }
  return draft;
}

/** Merges options over the file. A part of the file that is no object stays, so that the schema names it. */
export function withOptions(
  draft: RequestDraft,
  options: RequestOptions,
  secrets: Record<string, SecretInput>,
): RequestDraft {
  const given = [...options.variable, ...options.variableEnv.map(([name, env]) => [name, { env }] as const)];
  const executorConfig = {
    ...(options.headed === undefined ? {} : { headless: false }),
    ...(options.allowOrigin === undefined ? {} : { allowedOrigins: options.allowOrigin }),
  };
  const aiConfig = {
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.modelTimeout === undefined ? {} : { timeoutMs: Math.ceil(options.modelTimeout) }),
  };
  const agent = {
    ...(options.chat === undefined ? {} : { stayOpen: true }),
    ...(options.approvalMode === undefined ? {} : { approvalMode: options.approvalMode }),
  };
  const replay = options.replayOnly === true ? 'only' : options.replay;
  const config = {
    ...(Object.keys(aiConfig).length === 0 ? {} : { aiConfig }),
    ...(options.browser === undefined ? {} : { browserType: options.browser }),
    ...(Object.keys(executorConfig).length === 0 ? {} : { executorConfig }),
    ...(Object.keys(agent).length === 0 ? {} : { agent }),
    ...(replay === undefined ? {} : { replay }),
    ...(options.isolation === undefined ? {} : { isolation: options.isolation }),
    ...(options.recording === undefined ? {} : { recording: true }),
    ...(options.mailOnFailure === undefined ? {} : { report: { mail: options.mailOnFailure } }),
    ...(options.maxIterations === undefined ? {} : { maxIterations: options.maxIterations }),
    ...(options.budget === undefined && options.budgetEnd === undefined
      ? {}
      : { budget: { ...options.budget, ...(options.budgetEnd === true ? { whenReached: 'end' } : {}) } }),
  };
  return {
    ...draft,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.notBefore === undefined ? {} : { notBefore: options.notBefore }),
    ...(options.resultSchema === undefined
      ? {}
      : { result: merged(draft.result, { schema: readSchemaFile(options.resultSchema) }) }),
    ...(given.length === 0 ? {} : { variables: merged(draft.variables, Object.fromEntries(given)) }),
    ...(Object.keys(secrets).length === 0 ? {} : { secrets: merged(draft.secrets, secrets) }),
    ...(Object.keys(config).length === 0 ? {} : { config: merged(draft.config, config) }),
  };
}

function merged(base: unknown, over: Record<string, unknown>): unknown {
  if (base === undefined) return over;
  if (!isObject(base)) return base;
  const entries = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isObject(value) && isObject(below) ? { ...below, ...value } : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}

/** Reads a JSON schema from a file. Whether it can describe a result is checked with the request. */
function readSchemaFile(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CliError(isMissing ? `There is no file ${file}.` : `${file} can't be read: ${oneLineOf(error)}.`);
  }
  let schema: unknown;
  try {
    schema = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${oneLineOf(error)}.`);
  }
  if (isObject(schema)) return schema;
  throw new CliError(`${file} must hold a JSON schema, an object such as {"type": "array", "items": …}.`);
}
