import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The options of V8's `--expose-gc`; without this flavor the process keeps the space of the young generation, up to 134
 * MB.
 */
type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Collects garbage, returns the freed memory to the system and measures the bytes of this thread's objects, including
 * buffers outside of the heap.
 */
export function collectedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as Collect)({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
