import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRIVATE } from '../../../runtime/private-folder';
import { lastLine, runProgram } from '../../../runtime/run-command';
import type { OsUser } from '../../../runtime/system-user';
import { chromeEnvironment } from './environment';

const PROBE_MS = 30_000;
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * Starts the Chromium once as this user with its sandbox; returns why that is not possible. What was possible since this
 * machine was booted is noted in the folder, so that the next keeper need not try again.
 */
export async function sandboxProblem(
  chromiumPath: string,
  user: OsUser,
  noteFolder: string,
): Promise<string | undefined> {
  const note = join(noteFolder, 'chrome-sandbox.txt');
  const known = `${chromiumPath} ${stampOf(chromiumPath)} ${user.uid} ${textOf(BOOT_ID)}`;
  if (textOf(note) === known) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-chrome-'));
  try {
    chownSync(folder, user.uid, user.gid);
    const flags = ['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
    const { isOk, output } = await runProgram(
      chromiumPath,
      [...flags, `--user-data-dir=${join(folder, 'profile')}`, '--dump-dom', 'data:text/html,works'],
      { timeoutMs: PROBE_MS, cwd: folder, env: chromeEnvironment(folder), user },
    );
    if (!isOk || !output.includes('works'))
      return `${chromiumPath} does not start as another user with its sandbox (${reasonIn(output)})`;
    writeFileSync(note, known, { mode: PRIVATE.file });
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** Chromium explains itself before it prints where it was when it ended. */
function reasonIn(output: string): string {
  return /No usable sandbox[^.]*/.exec(output)?.[0] ?? lastLine(output);
}

function stampOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
