import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Packs this clone into a folder; returns the path of the tarball. */
export function packInto(folder: string): string {
  const packed = execFileSync('npm', ['pack', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return join(folder, packed.trim().split('\n').at(-1)!);
}

/** Links what the package depends on from this clone into a folder of modules, without the packages of developers. */
export function linkDependencies(modules: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [place, { dev, devOptional }] of Object.entries(packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1];
    const isNeeded = name !== undefined && name !== 'postgres' && !dev && !devOptional && existsSync(join(ROOT, place));
    if (!isNeeded || existsSync(join(modules, name))) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, place), join(modules, name));
  }
}
