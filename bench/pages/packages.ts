import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../chaos/options';

/** Outside the repository, which ships none of them. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'surefoot-bench-pages');
const MINIWOB = 'miniwob==1.1.0';

/** Fetches MiniWoB++ from the Python package index, once, and returns the folder of its HTML. */
export function fetchMiniwob(): string {
  const folder = join(CACHE, MINIWOB);
  if (!existsSync(join(folder, 'miniwob', 'html'))) {
    mkdirSync(folder, { recursive: true });
    fetching(MINIWOB, 'pip', ['install', '--quiet', '--no-deps', '--target', folder, MINIWOB], folder);
  }
  return join(folder, 'miniwob', 'html');
}

function fetching(what: string, program: string, args: string[], cwd: string): void {
  try {
    execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: Buffer | string };
    const [why = ''] = stderr.toString().trim().split('\n').slice(-1);
    throw new UsageError(
      `Could not fetch ${what} with ${program}: ${why || (error as Error).message} Run the bench once where the package ` +
        'index can be reached (it keeps what it fetched), or choose suites that need nothing: --suite plain,mutations.',
    );
  }
}
