import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds dist/: processes and threads of tests are started from it. */
export default function build(): void {
  const { status } = spawnSync(process.execPath, [join(__dirname, '..', '..', 'scripts', 'build.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The build failed; `npm run build` shows why.');
}
