import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from './eventually';

const ROOT = join(__dirname, '..', '..');

/** The variable with the folder that the package of a run is in. */
export const PACKAGE_FOLDER = 'SUREFOOT_TEST_PACKAGE';

/** Packs this clone, once for all test files of a run, which takes half a minute; resolves to the path of the tarball. */
export async function packedTarball(): Promise<string> {
  const folder = process.env[PACKAGE_FOLDER]!;
  const report = join(folder, 'packed.json');
  try {
    mkdirSync(join(folder, 'packing'));
  } catch {
    const text = await eventually(
      'the package that another test file packs',
      async () => (existsSync(report) ? readFileSync(report, 'utf8') : undefined),
      500_000,
    );
    return tarballOf(JSON.parse(text) as Report);
  }
  const done = pack(folder);
  writeFileSync(`${report}.part`, JSON.stringify(done));
  renameSync(`${report}.part`, report);
  return tarballOf(done);
}

type Report = { tarball: string } | { failure: string };

function pack(folder: string): Report {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return status === 0 ? { tarball: join(folder, stdout.trim().split('\n').at(-1)!) } : { failure: stderr };
}

function tarballOf(report: Report): string {
  if ('failure' in report) throw new Error(`npm pack failed: ${report.failure}`);
  return report.tarball;
}

/** Links what the package depends on from this clone into a folder of modules, without the packages of developers. */
export function linkDependencies(modules: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [place, { dev }] of Object.entries(packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1];
    const isNeeded = name !== undefined && name !== 'postgres' && !dev && existsSync(join(ROOT, place));
    if (!isNeeded || existsSync(join(modules, name))) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, place), join(modules, name));
  }
}
