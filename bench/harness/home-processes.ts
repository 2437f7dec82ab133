import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process of a stack: its command line or environment names the home, or such a process started it. */
export interface HomeProcess {
  pid: number;
  parent: number;
  command: string;
}

/**
 * Lists the processes of a stack except this one. Only Linux shows the environment of a process; elsewhere the list is
 * empty.
 */
export function processesOf(home: string): HomeProcess[] {
  if (!existsSync('/proc/self/environ')) return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const parent = parentOf(name);
      return parent === undefined ? [] : [{ pid: Number(name), parent, command: readProc(name, 'cmdline') }];
    });
  const found = new Map<number, HomeProcess>();
  for (const each of all) if (namesHome(each, home)) found.set(each.pid, each);
  // A zombie has no command line and no environment; its parent identifies it.
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const each of all) if (found.has(each.parent)) found.set(each.pid, each);
  }
  return [...found.values()];
}

function namesHome({ pid, command }: HomeProcess, home: string): boolean {
  return command.includes(home) || readProc(String(pid), 'environ').includes(home);
}

function parentOf(pid: string): number | undefined {
  const stat = readProc(pid, 'stat');
  return stat === '' ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(join('/proc', pid, file), 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
