import { spawn } from 'node:child_process';
import { killGroup } from './process-group';

export interface CommandOptions {
  timeoutMs: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number } | undefined;
  signal?: AbortSignal | undefined;
}

export interface ProgramResult {
  isOk: boolean;
  /** The last part of its output, or why it could not run. */
  output: string;
}

export type RunCommand = (command: string, args: readonly string[], options: CommandOptions) => Promise<ProgramResult>;

const KEPT_OUTPUT = 8000;

/** Runs a command to its end; at the timeout or the signal, it is killed with its process group. */
export const runProgram: RunCommand = (command, args, options) =>
  new Promise((resolve) => {
    if (options.signal?.aborted) return resolve({ isOk: false, output: 'stopped' });
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.env ?? process.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...options.user,
    });
    let output = '';
    let cutShort: string | undefined;
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const kill = (why: string) => {
      cutShort = why;
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => kill(`not done within ${options.timeoutMs / 1000} s`), options.timeoutMs);
    const onAbort = () => kill('stopped');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const finish = (result: ProgramResult) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      resolve(result);
    };
    child.once('error', (error) => finish({ isOk: false, output: error.message }));
    child.once('close', (code) => finish({ isOk: code === 0, output: cutShort ?? output.trim() }));
  });

const LONGEST_LINE = 200;

/** Returns the last line of an output, without stack frames and short enough for a sentence. */
export function lastLine(output: string): string {
  const lines = output.trimEnd().split('\n');
  const line = lines.findLast((each) => !/^\s+at /.test(each))?.trim() ?? '';
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}...` : line;
}
