/**
 * The npm package, as a program of somebody else has it: packed, installed in a folder elsewhere, type-checked strictly
 * and run against a stack.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { chromium } from 'playwright';
import { IS_LONG_RUN } from '../support/long-run';
import { linkDependencies, packedTarball } from '../support/package-folder';
import { everyNameProgram } from '../support/every-name';
import type { TestStack } from '../../client/engine/testing';

const ROOT = join(__dirname, '..', '..');
const PROGRAMS = join(__dirname, 'package');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const TOKEN = 'a-token-of-enough-characters';
/** For parts in two folders of data, which have keys of their own otherwise. */
const KEY = { SUREFOOT_SECRET_KEY: 'a-secret-key-of-32-characters-ab' };

let folder: string;
let stack: TestStack;
let stackProgram: ChildProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-package-'));
  await install(await packedTarball());
  await compile('stack.mts', { ...NODE_TYPES, skipLibCheck: true });
  stackProgram = spawn(process.execPath, ['stack.mjs', TOKEN], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...KEY },
  });
  const [line] = (await once(createInterface({ input: stackProgram.stdout! }), 'line')) as [string];
  stack = JSON.parse(line) as TestStack;
}, 600_000);
afterAll(async () => {
  const ended = once(stackProgram, 'exit');
  stackProgram.stdin!.end();
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`The program that holds the stack ended with ${code}.`);
  rmSync(folder, { recursive: true });
}, 60_000);

/** Runs a program to its end; resolves to what it printed. */
function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, args, { cwd, stdio: [...stdio], env: { ...process.env, ...env } });
  let [printed, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(printed)
        : reject(new Error(`${program} ${args.join(' ')}: ${code}\n${printed}${complaint}`)),
    );
  });
}

/**
 * In the long run npm installs the tarball. Otherwise it is unpacked, and gets what it depends on from this clone, without
 * the packages of developers: installing takes 16 processor seconds.
 */
async function install(tarball: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'elsewhere', private: true }));
  if (IS_LONG_RUN) {
    await run('npm', ['install', '--prefer-offline', '--ignore-scripts', tarball], folder);
    return;
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'surefoot'), { recursive: true });
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'surefoot')]);
  linkDependencies(modules);
}

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2023',
};

/** Type-checks a program against the installed package and compiles it; rejects with what the compiler says. */
async function compile(program: string, options: object): Promise<void> {
  if (!existsSync(join(folder, program))) copyFileSync(join(PROGRAMS, program), join(folder, program));
  const config = join(folder, `tsconfig.${program}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files: [program] }));
  await run(process.execPath, [TSC, '-p', config], folder);
}

const NODE_TYPES = { types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')] };

async function output(compiled: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const printed = await run(
    process.execPath,
    [compiled, stack.api, TOKEN, stack.shop, stack.temporalAddress],
    folder,
    env,
  );
  return JSON.parse(printed.trim().split('\n').at(-1)!);
}

test('a strict ES module runs a session and gets a typed result, with no types of a library to skip', async () => {
  await compile('module.mts', { ...NODE_TYPES, lib: ['es2023', 'dom'], skipLibCheck: false });
  expect(await output('module.mjs')).toEqual({
    totalSteps: 3,
    types: expect.arrayContaining(['STEP_COMPLETED', 'WORKFLOW_COMPLETED']),
    isCompleted: true,
    count: '1',
    bytes: expect.any(Number),
    refused: 409,
    wrong: { stepz: [] },
    typed: {
      rows: 20,
      first: { name: 'Alder Trail Shoe', price: 8900, link: `${stack.shop}/products/alder-trail-shoe` },
      isTyped: true,
      isUnknown: true,
      sources: 60,
    },
  });
});

test('a strict CommonJS program controls a session, loops with its own tools, has agents by name', async () => {
  await compile('script.cts', { ...NODE_TYPES, lib: ['es2023', 'dom', 'esnext.disposable'], skipLibCheck: true });
  expect(await output('script.cjs')).toEqual({
    status: 'CANCELLED',
    loop: 'complete',
    result: '7 of shoe',
    isAgent: false,
    names: ['createSimpleAgent', 'runAgentLoop'],
  });
});

test('a strict CommonJS program has workers, keeper and API in its own process', async () => {
  await compile('engine.cts', { ...NODE_TYPES, lib: ['es2024', 'dom', 'esnext.disposable'], skipLibCheck: true });
  const env = {
    ...KEY,
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    SUREFOOT_HOME: join(folder, 'data'),
    SUREFOOT_HOST_ID: 'elsewhere',
    SUREFOOT_API_TOKEN: TOKEN,
    SUREFOOT_END_BROWSERS: '1',
    LOG_LEVEL: 'error',
  };
  expect(await output('engine.cjs', env)).toEqual({ status: 'COMPLETED', saved: ['count'] });
});

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  'every name of the sources is imported by a strict program, module %s, resolution %s',
  async (module, resolution) => {
    const program = everyNameProgram();
    writeFileSync(join(folder, 'every-name.mts'), program.text);
    const lib = ['es2024', 'dom', 'esnext.disposable'];
    const options = { module, moduleResolution: resolution, verbatimModuleSyntax: true, skipLibCheck: true };
    await compile('every-name.mts', { ...NODE_TYPES, ...options, lib });
    const found = (await output('every-name.mjs')) as Record<string, string>;
    expect(found).toEqual(program.values);
  },
);

test('a model whose package is not installed is refused with the name of that package', async () => {
  const modules = join(folder, 'node_modules');
  rmSync(join(modules, '@ai-sdk', 'openai'), { recursive: true });
  const checker = join(modules, 'surefoot', 'dist', 'worker', 'check-model-main.js');
  const printed = await run(process.execPath, [checker, 'ai:openai/gpt-5'], folder, { OPENAI_API_KEY: 'a-key' });
  expect(JSON.parse(printed)).toMatchObject([
    { health: 'bad', message: expect.stringContaining('run `npm install @ai-sdk/openai`') },
  ]);
});

test('a worker of another project runs sessions as children of its workflow, with their progress', async () => {
  const options = { ...NODE_TYPES, lib: ['es2023', 'dom', 'esnext.disposable'], skipLibCheck: true };
  await compile('workflows.cts', options);
  await compile('worker.cts', options);
  expect(await output('worker.cjs')).toEqual({
    status: 'COMPLETED',
    failed: 'TL004',
    asked: { status: 'COMPLETED', overallProgress: 100 },
  });
});

test('the client runs in a page of a browser, and bundles neither Node nor Temporal nor Postgres', async () => {
  const { metafile, outputFiles } = buildSync({
    stdin: { contents: "export { createClient } from 'surefoot'", resolveDir: folder },
    bundle: true,
    format: 'iife',
    globalName: 'surefoot',
    platform: 'browser',
    metafile: true,
    write: false,
  });
  const bundled = Object.keys(metafile.inputs).map((file) => file.replace(/^.*node_modules\//, ''));
  expect([...new Set(bundled.map((file) => file.split('/')[0]!))].sort()).toEqual([
    '<stdin>',
    'eventsource-parser',
    'hono',
    'surefoot',
    'zod',
  ]);
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH']!, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`${stack.api}/docs`);
    await page.addScriptTag({ content: outputFiles[0]!.text });
    const status = await page.evaluate(
      `(async () => {
        const client = surefoot.createClient({ api: location.origin, token: ${JSON.stringify(TOKEN)} });
        const { sessionId } = await client.startSession({ steps: ['Open ${stack.shop}/parts/counter'] });
        return (await client.waitForEnd(sessionId)).session.status;
      })()`,
    );
    expect(status).toBe('COMPLETED');
  } finally {
    await browser.close();
  }
});
