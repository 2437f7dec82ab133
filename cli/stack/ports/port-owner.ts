import { runProgram } from '../../../runtime/run-command';

const LOOK_MS = 10_000;

/** Finds who listens on the port, as "node (pid 123)"; undefined where the system hides processes of other users. */
export async function findPortOwner(port: number): Promise<string | undefined> {
  const lsof = await runProgram('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], { timeoutMs: LOOK_MS });
  const fromLsof = lsof.isOk ? ownerFromLsof(lsof.output) : undefined;
  if (fromLsof !== undefined) return fromLsof;
  const ss = await runProgram('ss', ['-ltnpH', `sport = :${port}`], { timeoutMs: LOOK_MS });
  return ss.isOk ? ownerFromSs(ss.output) : undefined;
}

/** Parses `lsof -F`, which prints a line per field: p and the pid, c and the command. */
export function ownerFromLsof(output: string): string | undefined {
  const pid = /^p(\d+)$/m.exec(output)?.[1];
  const command = /^c(.+)$/m.exec(output)?.[1];
  return pid === undefined ? undefined : `${command ?? 'a program'} (pid ${pid})`;
}

/** Parses `ss`, whose line ends with users:(("node",pid=123,fd=20)). */
export function ownerFromSs(output: string): string | undefined {
  const match = /\(\("([^"]+)",pid=(\d+)/.exec(output);
  return match === null ? undefined : `${match[1]} (pid ${match[2]})`;
}
