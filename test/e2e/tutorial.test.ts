/**
 * The tutorial, and the guides that can be run without a language model, as a newcomer runs them: the package installed in
 * an empty folder, each block as it is written, in the order of the page. The blocks share one network of their own, where
 * it can be made: nobody else has the ports that the pages name, and there is no internet.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileOf, readBlocks, type DocBlock } from '../support/doc-blocks';
import { linkDependencies, packInto } from '../support/package-folder';
import { TerminalSession } from '../support/terminal-session';

const ROOT = join(__dirname, '..', '..');
const NODE = join(ROOT, 'node_modules', 'node', 'bin');
const INSTALL = 'Install';

/** A process that holds the network, and what others are started through to be in it. */
let network: { holder: ChildProcess; through: readonly string[] } | undefined;
let registry: ChildProcess;
let folder: string;
let env: NodeJS.ProcessEnv;
/** The folder of the reader, once the package is installed in it. */
let place: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-reader-'));
  network = await openNetwork();
  const packages = [packInto(folder), join(ROOT, 'node_modules', 'zod')];
  const [node, ...args] = [
    ...through(),
    process.execPath,
    join(__dirname, '..', 'support', 'registry.js'),
    ...packages,
  ] as [string, ...string[]];
  registry = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = (await once(createInterface({ input: registry.stdout! }), 'line')) as [string];
  const { PATH, HOME, CHROMIUM_PATH, NODE_COMPILE_CACHE } = process.env;
  env = {
    HOME,
    CHROMIUM_PATH,
    NODE_COMPILE_CACHE,
    PATH: `${NODE}:${PATH}`,
    npm_config_registry: address,
    npm_config_cache: join(folder, 'npm-cache'),
  };
  const reader = new TerminalSession(folder, { env, through: through() });
  for (const { text } of readBlocks('tutorial.md').filter(({ section }) => section === INSTALL)) await reader.run(text);
  place = reader.folder;
  await reader.interrupt();
  linkDependencies(join(place, 'node_modules'));
}, 600_000);
afterAll(async () => {
  for (const each of [registry, network?.holder]) {
    if (each === undefined || each.exitCode !== null) continue;
    const ended = once(each, 'exit');
    each.kill();
    await ended;
  }
  rmSync(folder, { recursive: true });
}, 60_000);

const through = (): readonly string[] => network?.through ?? [];

/** Makes a network with nothing but a loopback; undefined where this user may not. */
async function openNetwork(): Promise<typeof network> {
  const isAllowed = process.platform === 'linux' && spawnSync('unshare', ['--net', 'true']).status === 0;
  if (!isAllowed) return undefined;
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout!, 'data');
  return { holder, through: ['nsenter', `--net=/proc/${holder.pid}/ns/net`] };
}

/**
 * Goes through a page from top to bottom, in one terminal, and one more for each block that goes on by itself. Resolves to
 * the languages of the blocks that are neither files nor commands nor what these print, and of those that need what is not here.
 */
async function follow(blocks: readonly DocBlock[]): Promise<string[]> {
  const left: string[] = [];
  const terminal = new TerminalSession(place, { env, through: through() });
  const further: TerminalSession[] = [];
  let last = terminal;
  try {
    for (const { language, info, text, ...block } of blocks) {
      const file = fileOf({ language, info, text, ...block });
      if (file !== undefined) writeFileSync(join(place, file), text);
      else if (language === 'text') await last.sees(text);
      else if (language === 'sh' && info.includes('background')) {
        last = new TerminalSession(place, { env, through: through() });
        further.push(last);
        last.begin(text);
      } else if (language === 'sh' && info.every((word) => !word.startsWith('needs='))) {
        last = terminal;
        await terminal.run(text);
      } else left.push([language, ...info].join(' '));
    }
    return left;
  } finally {
    for (const each of [terminal, ...further]) await each.interrupt();
  }
}

/** Type-checks the programs of a page strictly against the installed package; throws what the compiler says. */
function compile(blocks: readonly DocBlock[]): void {
  const files = blocks.flatMap((block) => fileOf(block) ?? []).filter((file) => file.endsWith('.mts'));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'esnext.disposable'],
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', place], { stdio: ['ignore', 'pipe', 'pipe'], cwd: dirname(place) });
}

test('every block of the tutorial does what the page says, from the installation to the order of a killed session', async () => {
  const blocks = readBlocks('tutorial.md').filter(({ section }) => section !== INSTALL);
  expect(await follow(blocks)).toEqual([]);
  compile(blocks);
}, 400_000);

test('the script and the test of the guide for CI run as they are written', async () => {
  const blocks = readBlocks('ci.md');
  expect(await follow(blocks)).toEqual(['yaml']);
  compile(blocks);
}, 400_000);

test('the tools of the guide are loaded, called and approved as it is written', async () => {
  expect(await follow(readBlocks('own-tools.md'))).toEqual(['sh needs=a-model']);
}, 400_000);
