import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CliResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

const program = join(__dirname, '..', '..', 'bin', 'surefoot.js');

/** A data folder in which nothing runs; `remove` is called when the test is over. */
export function emptyHome(): { home: string; remove: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'surefoot-cli-'));
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
}

interface CliOptions {
  env?: Record<string, string>;
  input?: string;
}

/** Runs the command as a process of its own, with an environment that names no service unless the test does. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { child, result } = startCli(args, options);
  child.stdin.end(options.input ?? '');
  return result;
}

/** The same, with its standard input left open. */
export function startCli(args: readonly string[], options: Pick<CliOptions, 'env'> = {}) {
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _temporal, NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, [program, ...args], { env: { ...env, ...options.env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const result = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  return { child, result, printed: () => stdout };
}
