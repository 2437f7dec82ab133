import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { collectedHeap } from './collected';

/**
 * Loaded into every thread of the measured processes (NODE_OPTIONS): a heap that nobody collected tells what was used,
 * not what is kept. At SIGUSR2 all threads collect, and the process writes what they keep together.
 */
const FOLDER_VARIABLE = 'SUREFOOT_SOAK_HEAPS';
const THREADS_ANSWER_WITHIN_MS = 500;
const channel = new BroadcastChannel('surefoot-soak');

async function tell(folder: string): Promise<void> {
  let heapBytes = collectedHeap();
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (typeof data === 'number') heapBytes += data;
  };
  channel.postMessage('collect');
  await sleep(THREADS_ANSWER_WITHIN_MS, undefined, { ref: false });
  const file = join(folder, String(process.pid));
  writeFileSync(`${file}.part`, String(heapBytes));
  renameSync(`${file}.part`, file);
}

const folder = process.env[FOLDER_VARIABLE];
if (!isMainThread) {
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (data === 'collect') channel.postMessage(collectedHeap());
  };
} else if (folder !== undefined) {
  process.on('SIGUSR2', () => void tell(folder));
}
// The last: it is no reason for a process or a thread to stay.
channel.unref();
