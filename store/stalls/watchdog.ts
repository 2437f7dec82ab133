import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { compiledFolder } from '../../runtime/compiled-folder';
import { listenToWork } from '../../runtime/current-work';

/** The main thread counts up so often; the watchdog looks as often whether it did. */
export const BEAT_MS = 250;

/** What the thread of the watchdog is started with. */
export interface WatchdogData {
  /** Counted up by the main thread. */
  beats: Int32Array;
  process: string;
  hostId: string;
  databaseUrl: string;
  limits: StallLimits;
}

export interface StallLimits {
  /** A stall of this length is logged and recorded. */
  stallMs: number;
  /** One of this length ends the process; undefined where the process is not ours alone. */
  stallEndMs?: number | undefined;
}

interface WatchdogOptions {
  process: string;
  /** A part of another program never ends it. */
  isOwnProcess: boolean;
  settings: { hostId: string; databaseUrl: string; stallMs: number; stallEndMs: number };
}

/** Watches the event loop of this process from a thread of its own. Returns how to stop. */
export function watchEventLoop({ process: name, isOwnProcess, settings }: WatchdogOptions): () => Promise<void> {
  const { hostId, databaseUrl, stallMs, stallEndMs } = settings;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: WatchdogData = {
    beats,
    process: name,
    hostId,
    databaseUrl,
    limits: { stallMs, ...(isOwnProcess ? { stallEndMs } : {}) },
  };
  const thread = new Worker(join(compiledFolder(), 'store', 'stalls', 'watchdog-thread.js'), {
    workerData,
    execArgv: [],
    name: 'watchdog',
  });
  thread.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS);
  timer.unref();
  const stopListening = listenToWork({
    began: (work) => thread.postMessage({ began: work }),
    ended: (number) => thread.postMessage({ ended: number }),
  });
  const stop = async (): Promise<void> => {
    stopListening();
    clearInterval(timer);
    await thread.terminate();
  };
  // A process that is not watched works all the same.
  thread.on('error', (error) => {
    globalThis.process.emitWarning(`The event loop is not watched any more: ${error.message}`);
    void stop();
  });
  return stop;
}
