import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../runtime/settings/settings';
import { CliError, EXIT } from '../exit';
import { aborted, listenForInterrupt } from '../terminal/interrupt';

export interface ForegroundProcess {
  name: string;
  /** Compiled entry file, below dist/. */
  script: string;
  env?: Record<string, string>;
  /** Asked to end only when the others have: they need it to hand over. */
  endsLast?: boolean;
}

/**
 * Runs processes of the project in the foreground, their output here, until one of them ends or Ctrl-C: then all end.
 * Each is in a group of its own, so that Ctrl-C reaches it once, from here: a second one makes it end at once.
 */
export async function runInForeground(processes: readonly ForegroundProcess[]): Promise<number> {
  // The settings are asked for here as well, because here a missing one is told in a sentence.
  readSettings();
  const entries = processes.map((each) => ({ ...each, path: join(__dirname, '..', '..', each.script) }));
  const missing = entries.find(({ path }) => !existsSync(path));
  if (missing !== undefined) throw new CliError(`${missing.name} is not compiled; run \`npm run build\` first.`);

  let isForced = false;
  const running: ChildProcess[] = [];
  const signalAll = (signal: NodeJS.Signals) => running.forEach((child) => child.kill(signal));
  const terminate = (isLast: boolean) =>
    running.forEach((child, index) => (entries[index]!.endsLast ?? false) === isLast && child.kill('SIGTERM'));
  const interrupt = listenForInterrupt(() => {
    isForced = true;
    signalAll('SIGKILL');
  });
  const ends = entries.map(({ path, env }) => {
    const child = spawn(process.execPath, [path], {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      env: { ...process.env, ...env },
    });
    running.push(child);
    return endOf(child);
  });
  // A supervisor that dies must not leave them behind; nothing helps against SIGKILL.
  const onExit = () => signalAll('SIGTERM');
  process.on('exit', onExit);
  try {
    const first = await Promise.race([...ends, aborted(interrupt.signal)]);
    terminate(false);
    await Promise.all(ends.filter((_, index) => entries[index]!.endsLast !== true));
    terminate(true);
    const codes = await Promise.all(ends);
    if (isForced) return EXIT.interrupted;
    return first ?? codes.find((code) => code !== 0) ?? EXIT.done;
  } finally {
    process.off('exit', onExit);
    interrupt.end();
  }
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(EXIT.refused));
    child.once('exit', (code) => resolve(code ?? EXIT.sessionFailed));
  });
}
