import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { collectedHeap } from './collected-heap';

/**
 * Loaded into every thread of the measured processes through NODE_OPTIONS. An uncollected heap shows what was used, not
 * what is live. At SIGUSR2 all threads collect garbage, and the process writes the sum of their live heaps.
 */
const FOLDER_VARIABLE = 'SUREFOOT_SOAK_HEAPS';
/** A thread that has ended does not answer. */
const THREADS_ANSWER_WITHIN_MS = 10_000;
const PAUSE_MS = 20;
const channel = new BroadcastChannel('surefoot-soak');

function inMainThread(folder: string): void {
  let threads = 0;
  let answers: number[] = [];
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (typeof data === 'number') answers.push(data);
    else threads += 1;
  };
  const report = async (): Promise<void> => {
    answers = [];
    channel.postMessage('collect');
    const own = collectedHeap();
    const end = performance.now() + THREADS_ANSWER_WITHIN_MS;
    while (answers.length < threads && performance.now() < end) await sleep(PAUSE_MS);
    const file = join(folder, String(process.pid));
    writeFileSync(`${file}.part`, String(answers.reduce((sum, bytes) => sum + bytes, own)));
    renameSync(`${file}.part`, file);
  };
  process.on('SIGUSR2', () => void report());
}

function inOtherThread(): void {
  channel.onmessage = ({ data }: { data: unknown }) => {
    if (data === 'collect') channel.postMessage(collectedHeap());
  };
  channel.postMessage('here');
}

const folder = process.env[FOLDER_VARIABLE];
if (!isMainThread) inOtherThread();
else if (folder !== undefined) inMainThread(folder);
// The channel must not keep a process or a thread alive.
channel.unref();
