import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { processesOf, type HomeProcess } from '../home-processes';
import type { Harness } from '../harness';

/** What the processes of one kind have together. */
export const UsageSchema = z.object({
  count: z.number(),
  rssBytes: z.number(),
  /** Of that what is their own: programs and buffers that they share would count once for each, and grow by being read. */
  ownBytes: z.number(),
  /** Of processes of ours: what is left of their heaps after a collection. */
  heapBytes: z.number().optional(),
  handles: z.number(),
});
export type Usage = z.infer<typeof UsageSchema>;

const NONE: Usage = { count: 0, rssBytes: 0, ownBytes: 0, handles: 0 };
/** By the names that the supervisor gives its children; a kind of several is told together. */
const KINDS: readonly [name: RegExp, kind: string][] = [
  [/^engine-/, 'engine workers'],
  [/^browser-/, 'browser workers'],
];

const CHROME = /--user-data-dir=|--type=|crashpad/;

/** Every process of the stage by its kind, this one (its supervisor) among them. */
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
    const { count, rssBytes, ownBytes, heapBytes, handles } = usage.get(kind) ?? NONE;
    const heap = heaps.get(each.pid);
    usage.set(kind, {
      count: count + 1,
      rssBytes: rssBytes + memory('VmRSS'),
      ownBytes: ownBytes + memory('RssAnon'),
      ...(heap === undefined ? {} : { heapBytes: (heapBytes ?? 0) + heap }),
      handles: handles + handlesOf(each.pid),
    });
  }
  return Object.fromEntries(usage);
}

/** A child is of its parent's kind (a backend of Postgres); Chromes are a kind of their own. */
function kindOf(each: HomeProcess, kinds: Map<number, string>, all: Map<number, HomeProcess>): string {
  if (CHROME.test(each.command)) return 'chrome';
  const own = kinds.get(each.pid);
  if (own !== undefined) return own;
  const parent = all.get(each.parent);
  return parent === undefined ? 'others' : kindOf(parent, kinds, all);
}

/** One line of /proc/<pid>/status, in bytes. */
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
