import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listProcesses } from '../cli/stack/supervisor/run-files';
import { SETTINGS } from '../runtime/settings/definitions';
import { readSetting } from '../runtime/settings/setting';
import { readStackFile } from '../runtime/settings/stack-file';
import { removeUsersFolder } from '../runtime/users-folder';
import { wholeNumber } from './chaos/options';

const PROGRAM = join(__dirname, '..', '..', 'bin', 'surefoot.js');
/** The last line of a start. */
const IS_UP = 'The stack stays up';
const UP_WITHIN_MS = 240_000;
const TOGETHER = 2;

/**
 * Starts two stacks (`surefoot dev`) at the same moment with the usual ports, as often as is asked for; resolves to false
 * when one did not come up, when two have a port in common, or when what one printed does not lead to its own processes.
 */
export async function startStacksTogether(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '20' } } });
  const rounds = wholeNumber('--rounds', values.rounds, 1);
  const problems: string[] = [];
  let stacksUp = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const stacks = Array.from({ length: TOGETHER }, startOne);
    const ports = (await Promise.all(stacks.map(({ ports: up }) => up))).flatMap((found) => {
      if (typeof found === 'string') problems.push(`round ${round}: ${found}`);
      else stacksUp += 1;
      return typeof found === 'string' ? [] : found;
    });
    if (new Set(ports).size !== ports.length) problems.push(`round ${round}: two parts have one port: ${ports.join()}`);
    await Promise.all(stacks.map(({ stop }) => stop()));
    console.log(`round ${round}: ${stacksUp} of ${round * TOGETHER} stacks came up; ports ${ports.join(', ')}`);
  }
  for (const problem of problems) console.log(problem);
  console.log(`${stacksUp} of ${rounds * TOGETHER} stacks came up, ${problems.length} problems.`);
  return problems.length === 0;
}

/** Starts a stack; `ports` resolves to those of its processes, or to what went wrong. */
function startOne(): { ports: Promise<number[] | string>; stop: () => Promise<void> } {
  const home = mkdtempSync(join(tmpdir(), 'surefoot-stacks-'));
  const child = spawn(process.execPath, [PROGRAM, 'dev'], { env: { ...process.env, SUREFOOT_HOME: home } });
  const ended = once(child, 'exit');
  let printed = '';
  const up = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes(IS_UP)) resolve(true);
      });
    void ended.then(() => resolve(false));
    setTimeout(() => resolve(false), UP_WITHIN_MS).unref();
  });
  return {
    ports: up.then((isUp) => (isUp ? portsOf(home, printed) : `a stack is not up: ${printed}`)),
    async stop() {
      child.kill('SIGINT');
      await ended;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      removeUsersFolder(home, readSetting(SETTINGS.usersFolder, process.env));
    },
  };
}

async function portsOf(home: string, printed: string): Promise<number[] | string> {
  const { api, shop, temporalUi } = readStackFile(home)!;
  for (const address of [api!, shop!, temporalUi!]) {
    if (!printed.includes(address)) return `${address} was not printed: ${printed}`;
    const { status } = await fetch(address);
    if (status !== 200) return `${address} answers with ${status}`;
  }
  if (!printed.includes(`run 'Open ${shop}/`)) return `the command to try does not lead to ${shop}: ${printed}`;
  const ports = listProcesses(home).flatMap(({ port }) => port ?? []);
  return [...ports, Number(new URL(temporalUi!).port)];
}
