/**
 * The tutorial and the guides, as a newcomer runs them: the package installed in an empty folder, each block as it is
 * written, in the order of the page. The blocks share one network of their own, where it can be made: nobody else has the
 * ports that the pages name, and there is no internet.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { locateTemporal } from '../../cli/stack/programs/locate-temporal';
import { systemProbes } from '../../cli/stack/programs/probes';
import { fileOf, readBlocks, type DocBlock } from '../support/doc-blocks';
import { BESIDE_A_STACK, WITH_A_STACK } from '../support/guides';
import { linkDependencies, packedTarball } from '../support/package-folder';
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
  const installs = BESIDE_A_STACK.flatMap((guide) => readBlocks(`${guide}.md`).filter(isInstall));
  const named = installs.flatMap(({ text }) => text.trim().split(/\s+/).slice(2));
  const others = new Set(['zod', ...named.filter((name) => name !== 'surefoot')]);
  const packages = [await packedTarball(), ...[...others].map((name) => join(ROOT, 'node_modules', name))];
  const [node, ...args] = [
    ...through(),
    process.execPath,
    join(__dirname, '..', 'support', 'registry.js'),
    ...packages,
  ] as [string, ...string[]];
  registry = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = (await once(createInterface({ input: registry.stdout! }), 'line')) as [string];
  const temporal = locateTemporal(systemProbes({ ...process.env, TEMPORAL_ADDRESS: '' }), folder);
  if (temporal.kind !== 'program') throw new Error('The Temporal CLI is not installed.');
  const { PATH, HOME, CHROMIUM_PATH, NODE_COMPILE_CACHE } = process.env;
  env = {
    HOME,
    CHROMIUM_PATH,
    NODE_COMPILE_CACHE,
    PATH: `${NODE}:${PATH}:${dirname(temporal.path)}`,
    npm_config_registry: address,
    npm_config_cache: join(folder, 'npm-cache'),
  };
  const reader = new TerminalSession(folder, { env, through: through() });
  for (const { text } of readBlocks('tutorial.md').filter(({ section }) => section === INSTALL)) await reader.run(text);
  for (const { text } of installs) await reader.run(text);
  place = reader.folder;
  await reader.interrupt();
  // The registry has these packages without what they depend on, which comes from this clone, one copy of each.
  for (const name of readdirSync(join(place, 'node_modules')))
    if (!['.bin', 'surefoot'].includes(name)) rmSync(join(place, 'node_modules', name), { recursive: true });
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

const isInstall = ({ text }: DocBlock): boolean => text.startsWith('npm install ');

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
      if (file !== undefined) {
        mkdirSync(dirname(join(place, file)), { recursive: true });
        writeFileSync(join(place, file), text);
      } else if (language === 'text' && info.length === 0) await last.sees(text);
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

/** Type-checks the programs of a page strictly against the installed package; returns what the compiler says. */
function complaints(blocks: readonly DocBlock[]): string {
  const files = blocks.flatMap((block) => fileOf(block) ?? []).filter((file) => /\.m?ts$/.test(file));
  if (files.length === 0) return '';
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'esnext.disposable'],
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  return spawnSync(process.execPath, [tsc, '-p', place], { encoding: 'utf8', cwd: dirname(place) }).stdout;
}

test('every block of the tutorial does what the page says, to the order of a killed session', async () => {
  const blocks = readBlocks('tutorial.md').filter(({ section }) => section !== INSTALL);
  expect(await follow(blocks)).toEqual([]);
  expect(complaints(blocks)).toBe('');
}, 400_000);

// `npm run docs` prints the recorded histories.
const DATA = /^(json|yaml|sh needs=.*|text of=.*|txt history=.*)$/;

test.each(WITH_A_STACK)(
  'every block of the guide “%s” that is a program runs as it is written',
  async (guide) => {
    const blocks = readBlocks(`${guide}.md`);
    expect((await follow(blocks)).filter((left) => !DATA.test(left))).toEqual([]);
    expect(complaints(blocks)).toBe('');
  },
  400_000,
);

describe('beside the local stack', () => {
  let stack: TerminalSession;
  beforeAll(async () => {
    stack = new TerminalSession(place, { env, through: through() });
    stack.begin('npx surefoot dev\n');
    await stack.sees('The stack stays up; Ctrl-C stops all of it.');
  }, 150_000);
  afterAll(() => stack.interrupt(), 60_000);

  test.each(BESIDE_A_STACK)(
    'every block of the guide “%s” that is a program runs as it is written',
    async (guide) => {
      const blocks = readBlocks(`${guide}.md`).filter((block) => !isInstall(block));
      expect((await follow(blocks)).filter((left) => !DATA.test(left))).toEqual([]);
    },
    400_000,
  );

  test('the programs of the guides are typed strictly', () => {
    const blocks = BESIDE_A_STACK.flatMap((guide) => readBlocks(`${guide}.md`));
    expect(complaints(blocks)).toBe('');
  }, 200_000);
});
