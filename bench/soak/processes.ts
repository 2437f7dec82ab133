import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { processesOf, type HomeProcess } from '../harness/home-processes';
import { processorSeconds } from '../harness/processor-time';
import type { Harness } from '../harness/harness';

/** What the processes of one kind use together. */
export const UsageSchema = z.object({
  count: z.number(),
  rssBytes: z.number(),
  /** Anonymous memory only: shared program pages and buffers would count once per process. */
  ownBytes: z.number(),
  /** Live heap after a garbage collection; only for our processes. */
  heapBytes: z.number().optional(),
  handles: z.number(),
  /** Of the processor, so far. */
  processorSeconds: z.number(),
});
export type Usage = z.infer<typeof UsageSchema>;

const NONE: Usage = { count: 0, rssBytes: 0, ownBytes: 0, handles: 0, processorSeconds: 0 };
/** Kinds by the supervisor's names of its children; workers of a kind are summed. */
const KINDS: readonly [name: RegExp, kind: string][] = [
  [/^engine-/, 'engine workers'],
  [/^browser-/, 'browser workers'],
];

export const CHROME = /--user-data-dir=|--type=|crashpad/;

/** Sums the usage of every process of the harness by kind, including this process, the supervisor. */
export function usageByKind({ home, stack }: Harness, heaps: ReadonlyMap<number, number>): Record<string, Usage> {
  const kinds = new Map<number, string>([[process.pid, 'supervisor']]);
  for (const { pid, name } of stack.processes())
    kinds.set(pid, KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? name);
  const usage = new Map<string, Usage>();
  const self: HomeProcess = { pid: process.pid, parent: process.ppid, command: '' };
  const all = new Map([self, ...processesOf(home)].map((each) => [each.pid, each]));
  for (const each of all.values()) {
    const kind = kindOf(each, kinds, all);
    const status = statusOf(each.pid);
    const memory = (name: string): number => memoryOf(status, name);
    const { count, rssBytes, ownBytes, heapBytes, handles, processorSeconds: spent } = usage.get(kind) ?? NONE;
    const heap = heaps.get(each.pid);
    usage.set(kind, {
      count: count + 1,
      rssBytes: rssBytes + memory('VmRSS'),
      ownBytes: ownBytes + memory('RssAnon'),
      ...(heap === undefined ? {} : { heapBytes: (heapBytes ?? 0) + heap }),
      handles: handles + handlesOf(each.pid),
      processorSeconds: spent + processorSeconds(String(each.pid)),
    });
  }
  return Object.fromEntries(usage);
}

/** A child has its parent's kind, such as a Postgres backend; Chromes are their own kind. */
function kindOf(each: HomeProcess, kinds: Map<number, string>, all: Map<number, HomeProcess>): string {
  if (CHROME.test(each.command)) return 'chrome';
  const own = kinds.get(each.pid);
  if (own !== undefined) return own;
  const parent = all.get(each.parent);
  return parent === undefined ? 'others' : kindOf(parent, kinds, all);
}

/** Reads one line of /proc/<pid>/status, in bytes. */
function memoryOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

function handlesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
