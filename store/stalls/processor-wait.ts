import { readFileSync } from 'node:fs';

/**
 * Milliseconds for which the main thread of this process has been ready and waited for a processor, since it began: the
 * second figure of Linux's schedstat. 0 where the system does not say.
 */
export function processorWaitMs(): number {
  try {
    const [, waitedNs = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6 || 0;
  } catch {
    return 0;
  }
}
