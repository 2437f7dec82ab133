import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { collectedHeap } from './collected-heap';

/**
 * Loaded into every thread of the measured processes (NODE_OPTIONS): a heap that nobody collected tells what was used,
 * not what is kept. At SIGUSR2 all threads collect, and the process writes what they keep together.
 */
const FOLDER_VARIABLE = 'SUREFOOT_SOAK_HEAPS';
/** A thread that has ended answers no more. */
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
  const tell = async (): Promise<void> => {
    answers = [];
    channel.postMessage('collect');
    const own = collectedHeap();
    const end = performance.now() + THREADS_ANSWER_WITHIN_MS;
    while (answers.length < threads && performance.now() < end) await sleep(PAUSE_MS);
    const file = join(folder, String(process.pid));
    writeFileSync(`${file}.part`, String(answers.reduce((sum, bytes) => sum + bytes, own)));
    renameSync(`${file}.part`, file);
  };
  process.on('SIGUSR2', () => void tell());
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
// The last: it is no reason for a process or a thread to stay.
channel.unref();
