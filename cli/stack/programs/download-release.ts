import { mkdirSync } from 'node:fs';
import type { ProgramResult } from '../../../runtime/run-command';
import type { FetchContext } from './install-method';

/** One file of a release: a gzipped tar archive with the program in it, and the SHA-256 that it must have. */
export interface Release {
  url: string;
  sha256: string;
  program: string;
}

const DOWNLOAD_MS = 90_000;

/**
 * Runs in a process of its own, so that a download ends at its timeout and uses the proxy of the environment. The archive
 * is unpacked beside the place and moved there when it is whole.
 */
const SCRIPT = `
const [url, sha256, folder, program] = process.argv.slice(1);
const { createHash } = require('node:crypto');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const fail = (error) => { console.error(String(error.cause ?? error).split('\\n')[0]); process.exitCode = 1; };
(async () => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(url + ' was answered with ' + response.status);
  const archive = Buffer.from(await response.arrayBuffer());
  const found = createHash('sha256').update(archive).digest('hex');
  if (found !== sha256) throw new Error('expected a file with the SHA-256 ' + sha256 + ', got one with ' + found + '; it was thrown away');
  const part = mkdtempSync(join(folder, 'download-'));
  try {
    writeFileSync(join(part, 'archive.tar.gz'), archive);
    execFileSync('tar', ['-xzf', 'archive.tar.gz', program], { cwd: part });
    renameSync(join(part, program), join(folder, program));
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
})().catch(fail);
`;

/** Downloads a program into the folder; a file with another hash is thrown away and nothing is installed. */
export function downloadRelease(
  { url, sha256, program }: Release,
  folder: string,
  { probes, run, signal }: FetchContext,
): Promise<ProgramResult> {
  // Nobody else may write where programs are run from.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const env = { ...probes.env, NODE_USE_ENV_PROXY: '1' };
  return run(process.execPath, ['-e', SCRIPT, url, sha256, folder, program], { timeoutMs: DOWNLOAD_MS, env, signal });
}
