import { processesOf } from '../harness/home-processes';
import type { Harness } from '../harness/harness';

/** Returns the ids of the stack's processes whose nearest supervised ancestor, or they themselves, have such a name. */
export function stackProcesses({ home, stack }: Harness, isWanted: (name: string | undefined) => boolean): number[] {
  const names = new Map(stack.processes().map(({ pid, name }) => [pid, name]));
  const all = processesOf(home);
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const nameOf = (pid: number): string | undefined => {
    for (let each: number | undefined = pid; each !== undefined; each = parents.get(each))
      if (names.has(each)) return names.get(each);
    return undefined;
  };
  return all.map(({ pid }) => pid).filter((pid) => isWanted(nameOf(pid)));
}
