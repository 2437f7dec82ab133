/** The chaos runner has dozens of processes: asked to end, it ends all of them. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from '../../bench/harness/home-processes';
import { eventually } from '../support/eventually';

const RUNNER = join(__dirname, '..', '..', 'dist', 'bench', 'chaos', 'main.js');

test('asked to end while its stack comes up, the chaos runner leaves no process and no folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-test-ending-'));
  // Its database runs as a user of its own when this runs as root.
  chmodSync(folder, 0o777);
  const { NODE_OPTIONS: _, ...env } = process.env;
  const runner = spawn(process.execPath, [RUNNER, '--naive', '0'], { env: { ...env, TMPDIR: folder } });
  let said = '';
  for (const stream of [runner.stdout, runner.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => runner.once('close', resolve));
  try {
    await eventually('its database is up', () => said.includes('PostgreSQL is up'), 60_000);
    runner.kill('SIGTERM');
    expect(await ended).toBe(143);
    expect(said).toContain('SIGTERM: everything started is stopped');
    expect(processesOf(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    for (const { pid } of processesOf(folder)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
