import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTicksOf } from '../../runtime/process-identity';
import { createScratchFolder } from '../../runtime/scratch';

const TMPDIR = process.env['TMPDIR'];
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'surefoot-scratch-'));
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  rmSync(home, { recursive: true, force: true });
});

test('temporary files go to a folder of this process; those of dead ones alone are removed', () => {
  const root = join(home, 'tmp', 'local');
  const twin = spawn('sleep', ['60']);
  try {
    const living = `${twin.pid}-${startTicksOf(twin.pid!)}`;
    // A pid that is in use again, by another process than the one that made the folder.
    for (const name of [living, `${twin.pid}-1`, '999999-1', 'half'])
      mkdirSync(join(root, name, 'trace'), { recursive: true });
    const scratch = createScratchFolder(home, 'local');
    const mine = readdirSync(root).filter((name) => name !== living);
    expect(mine).toEqual([expect.stringMatching(new RegExp(`^${process.pid}-`))]);
    expect(existsSync(join(root, living, 'trace'))).toBe(true);
    // Where the operating system's own name for it is looked up each time.
    expect(process.env['TMPDIR']).toBe(join(root, mine[0]!));
    scratch.release();
    expect(readdirSync(root)).toEqual([living]);
  } finally {
    twin.kill('SIGKILL');
  }
});
