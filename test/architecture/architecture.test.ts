import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';

const { floors } = require('../../scripts/floors.cjs') as { floors: Record<string, object> };
const ROOT = join(__dirname, '..', '..');
const FOLDERS = [...Object.keys(floors), 'examples', 'bench'];

interface Import {
  from: string;
  specifier: string;
  isTypeOnly: boolean;
}

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, name.split(sep).join('/')));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\b(?:import|require)\('([^']+)'\)/gm,
  );
  return [...found].map((match) => ({
    from: file,
    specifier: match[2] ?? match[3]!,
    isTypeOnly: match[1] !== undefined,
  }));
}

/** The imported file of ours, from the root, without its ending; undefined for a package. */
function ownPath({ from, specifier }: Import): string | undefined {
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : undefined;
}

const sources = FOLDERS.flatMap(filesIn);
const imports = sources.flatMap(importsOf);
const of = (folder: string) => imports.filter(({ from }) => from.startsWith(`${folder}/`));
const textsOf = (list: Import[]) => list.map(({ from, specifier }) => `${from} imports ${specifier}`);

test('contracts know zod and nothing else, and workflows know Temporal and zod-free contracts', () => {
  const packages = (folder: string) => [
    ...new Set(
      of(folder)
        .filter((each) => ownPath(each) === undefined)
        .map(({ specifier }) => specifier),
    ),
  ];
  expect(packages('contracts')).toEqual(['zod']);
  expect(packages('workflows').sort()).toEqual(['@temporalio/common', '@temporalio/workflow']);
});

test('only the worker starts workers, and it knows the workflows by path alone', () => {
  expect(textsOf(of('worker').filter((each) => ownPath(each)?.startsWith('workflows/')))).toEqual([]);
});

test('[S1.R28] the roots of workers and API get dependencies from the container, by standard tokens', () => {
  for (const root of ['worker/run-engine-worker.ts', 'worker/run-browser-worker.ts', 'api/run-api.ts']) {
    const text = readFileSync(join(ROOT, root), 'utf8');
    expect(text).toContain('container.resolve<Store>(DEPENDENCY_TOKENS.DATABASE)');
    for (const token of ['CONFIG_MANAGER', 'LOGGER'])
      expect(text).toContain(`container.register(DEPENDENCY_TOKENS.${token}`);
    expect(text).not.toMatch(/openStore\(settings|createEventLog\(|store\/connect/);
  }
});

test('one file makes ApplicationFailure of what activities throw', () => {
  const makers = sources.filter(
    (file) =>
      file.startsWith('activities/') &&
      /ApplicationFailure\.(create|nonRetryable|retryable)|new ApplicationFailure/.test(
        readFileSync(join(ROOT, file), 'utf8'),
      ),
  );
  expect(makers).toEqual(['activities/activity/failures.ts']);
});

test('no file or folder is named for being of use', () => {
  const empty = /^(utils?|helpers?|common|managers?)$/;
  const words = (file: string) => file.replace(/\.ts$/, '').split(/[/-]/);
  expect(sources.filter((file) => words(file).some((word) => empty.test(word)))).toEqual([]);
});

test('the root of the repository has at most 14 files and 20 folders', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const present = tracked.filter((file) => existsSync(join(ROOT, file)));
  const folders = new Set(present.filter((file) => file.includes('/')).map((file) => file.split('/')[0]!));
  expect(present.filter((file) => !file.includes('/')).length).toBeLessThanOrEqual(14);
  // The two that start with a dot are where CI and the host of the repository look for them.
  expect([...folders].filter((folder) => !folder.startsWith('.')).length).toBeLessThanOrEqual(20);
});

test('no source file is over 300 lines', () => {
  const long = sources
    .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});

test('there is one copy of each Temporal package, all of one version, and one of protobufjs', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  const installed = Object.entries(lock.packages).filter(([path]) =>
    /node_modules\/(@temporalio\/[^/]+|protobufjs)$/.test(path),
  );
  for (const [path] of installed) expect(path).toMatch(/^node_modules\/(@temporalio\/[^/]+|protobufjs)$/);
  const temporal = installed.filter(([path]) => path.includes('@temporalio/'));
  expect(new Set(temporal.map(([, { version }]) => version))).toEqual(new Set(['1.24.0']));
  const onDisk = readdirSync(join(ROOT, 'node_modules'), { recursive: false, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.'))
    .filter((name) => {
      try {
        return readdirSync(join(ROOT, 'node_modules', name, 'node_modules')).some((inner) =>
          /^(@temporalio|protobufjs)$/.test(inner),
        );
      } catch {
        return false;
      }
    });
  expect(onDisk).toEqual([]);
});

test('no tracked source names a folder of the machine it was written on', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const sourceText = tracked.filter(
    (file) => /\.(ts|js|cjs|json|md|html|css|ya?ml)$/.test(file) && existsSync(join(ROOT, file)),
  );
  // Tests of finding programs make up home folders.
  const wrong = sourceText.filter((file) => {
    const place = file.startsWith('test/')
      ? /(^|[\s'"`(=:])\/(root|work)\//m
      : /(^|[\s'"`(=:])\/(root|work|Users|home)\//m;
    return place.test(readFileSync(join(ROOT, file), 'utf8'));
  });
  expect(wrong).toEqual([]);
});
