import { basename, join } from 'node:path';

/** Returns dist/, from the sources as well as from the compiled files. */
export function compiledFolder(): string {
  const above = join(__dirname, '..');
  return basename(above) === 'dist' ? above : join(above, 'dist');
}
