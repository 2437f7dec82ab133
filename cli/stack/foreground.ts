import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../runtime/settings/settings';
import { CliError, EXIT } from '../context/exit';
import { aborted, listenForInterrupt } from '../terminal/interrupt';

export interface ForegroundProcess {
  name: string;
  /** Compiled entry file below dist/. */
  script: string;
  env?: Record<string, string>;
  /** It ends after the others, which need it for their handover. */
  endsLast?: boolean;
}

/**
 * Runs processes of the project in the foreground with their output, until one of them ends or Ctrl-C ends all.
 * Each has its own process group, so that Ctrl-C reaches it only from here; a second Ctrl-C kills them.
 */
export async function runInForeground(processes: readonly ForegroundProcess[]): Promise<number> {
  // Checked here too, so that a missing setting is reported before anything starts.
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
  // They must not outlive this process; SIGKILL can't be handled.
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
