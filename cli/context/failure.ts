import { ClientError } from '../../service/port/port';
import { StackError } from '../stack/reporting/stack-error';
import { SettingsError } from '../../runtime/settings/setting';
import { CliError, EXIT, type ExitCode } from './exit';
import { LOGGING } from '../../runtime/settings/process-definitions';
import { readSetting } from '../../runtime/settings/setting';
import type { Issue } from '../../contracts/errors/issues';

export interface CliFailure {
  lines: string[];
  exitCode: ExitCode;
}

/** Renders an error as a sentence; SUREFOOT_DEBUG shows its stack instead. */
export function toCliFailure(error: unknown, env: NodeJS.ProcessEnv = process.env): CliFailure {
  const exitCode = error instanceof CliError ? error.exitCode : EXIT.refused;
  if (readSetting(LOGGING.debug, env) !== undefined && error instanceof Error)
    return { lines: (error.stack ?? error.message).split('\n'), exitCode };
  if (error instanceof CliError) return { lines: [error.message, ...error.details], exitCode };
  if (error instanceof ClientError) return { lines: [error.message, ...unmentionedIssues(error)], exitCode };
  if (error instanceof StackError || error instanceof SettingsError) return { lines: [error.message], exitCode };
  const what = oneLineOf(error).replace(/\.$/, '');
  return { lines: [`Unexpected error: ${what}. SUREFOOT_DEBUG=1 shows its stack.`], exitCode };
}

/** Renders the issues that the error's message does not mention. */
function unmentionedIssues({ issues, message }: ClientError): string[] {
  return toIssueLines(issues.filter((issue) => !message.includes(issue.message)));
}

export function toIssueLines(issues: readonly Issue[]): string[] {
  return issues.map(({ path, message }) => `  ${path === '' ? 'input' : path}: ${message}`);
}

/** Returns one line for any error; an AggregateError of several connection attempts has no message of its own. */
export function oneLineOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(oneLineOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.split('\n');
  return first.trim() || ((error as NodeJS.ErrnoException).code ?? error.name);
}
