import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { isAlive, startTicksOf, type ProcessIdentity } from '../../runtime/process-identity';
import type { ProcessSpec } from '../../cli/stack/processes';
import type { Reporter } from '../../cli/stack/reporting/reporter';
import { waitUntil } from '../../runtime/wait-until';

/** A folder of the test's own, removed after it. */
export function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'surefoot-local-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** An environment in which nothing of the person's own points elsewhere. */
export function cleanEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const theirs = /^(DATABASE_URL|TEMPORAL_.*|CHROMIUM_PATH|SUREFOOT_(?!USERS_FOLDER$).*|(SHOP_|POSTGRES_)?PORT)$/;
  const kept = Object.entries(process.env).filter(([name]) => !theirs.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

export function collectReports(): Reporter & { steps: string[]; warnings: string[] } {
  const steps: string[] = [];
  const warnings: string[] = [];
  return {
    steps,
    warnings,
    step: (text) => void steps.push(text),
    progress: () => undefined,
    warn: (text) => void warnings.push(text),
  };
}

/** Answers HTTP with its pid, says that it is ready, and ends when asked. */
const SERVER = `
const { createServer } = require('node:http');
const { writeFileSync, renameSync } = require('node:fs');
const port = Number(process.env.FIXTURE_PORT ?? 0);
const server = createServer((_, response) => response.end(String(process.pid)));
server.listen(port, '127.0.0.1', () => {
  const file = process.env.SUREFOOT_READY_FILE;
  writeFileSync(file + '.part', JSON.stringify({ pid: process.pid, port: server.address().port }));
  renameSync(file + '.part', file);
});
`;
export const scripts = {
  obedient: `${SERVER} process.on('SIGTERM', () => process.exit(0));`,
  /** Doesn't end when asked, and has a child of its own, whose pid it prints. */
  stubborn: `${SERVER} process.on('SIGTERM', () => undefined);
    console.log('child ' + require('node:child_process').spawn('sleep', ['600']).pid);`,
  broken: `console.log('the cupboard is bare'); process.exit(3);`,
};

/**
 * The source of a process that loses its port on its first start: it hands it to a program that keeps it, whose pid it
 * writes into the file, and ends as if it had come too late.
 */
export function losesItsPort(variable: string, file: string): string {
  const thief = `require('node:net').createServer().listen(process.env.${variable}, '127.0.0.1', () => console.log())`;
  return `process.env.FIXTURE_PORT = process.env.${variable};
    const { existsSync, writeFileSync: write } = require('node:fs');
    if (existsSync(${JSON.stringify(file)})) { ${scripts.obedient} }
    else {
      const thief = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(thief)}], {
        detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      write(${JSON.stringify(file)}, String(thief.pid));
      thief.stdout.once('data', () => process.exit(1));
    }`;
}

export function createProcess(
  folder: string,
  name: string,
  source: string,
  extra: Partial<ProcessSpec> = {},
): ProcessSpec {
  const script = join(folder, `${name}.js`);
  writeFileSync(script, source);
  return { name, script, stopOrder: 1, ...extra };
}

/** A program that has nothing to do with the stack. */
export function startSleeper(): { child: ChildProcess; identity: ProcessIdentity } {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
  const pid = child.pid ?? 0;
  return { child, identity: { pid, startTicks: startTicksOf(pid) ?? '' } };
}

export async function eventually(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  if (!(await waitUntil(isSo, 60_000))) throw new Error(`Expected within 60 s that ${what}.`);
}

export function identityOf(pid: number): ProcessIdentity {
  const startTicks = startTicksOf(pid);
  if (startTicks === undefined) throw new Error(`Expected process ${pid} to be alive.`);
  return { pid, startTicks };
}

export function allDead(identities: readonly ProcessIdentity[]): boolean {
  return identities.every((identity) => !isAlive(identity));
}

/** Compiles the supervisor so that it can run, and be killed, in a process of its own. */
export function compileSupervisor(folder: string): string {
  const root = join(__dirname, '..', '..');
  for (const source of ['contracts', 'cli/stack', 'runtime']) {
    for (const file of readdirSync(join(root, source), { encoding: 'utf8', recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const { code } = transformFileSync(join(root, source, file), {
        cwd: root,
        configFile: join(root, 'scripts', 'swc.json'),
      });
      mkdirSync(join(folder, source, dirname(file)), { recursive: true });
      writeFileSync(join(folder, source, file.replace(/ts$/, 'js')), code);
    }
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'cli', 'stack', 'start-stack.js');
}
