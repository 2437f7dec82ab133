import { AsyncLocalStorage } from 'node:async_hooks';

/** What a process is at: an activity of a session, or a request that it answers. */
export interface Work {
  /** `runCommands`, or `POST /v1/sessions`. */
  name: string;
  sessionId?: string | undefined;
  /** The same for each attempt of an activity, also where it is sent anew under another id. */
  key?: string | undefined;
  attempt?: number | undefined;
}

/** Work under way, with a number of this process. */
export interface NumberedWork extends Work {
  number: number;
}

/** Learns what begins and ends, so that it is known elsewhere when this thread is stopped. */
export interface WorkListener {
  began(work: NumberedWork): void;
  ended(number: number): void;
}

const storage = new AsyncLocalStorage<NumberedWork>();
const listeners = new Set<WorkListener>();
let begun = 0;

/** Runs work under its name: while it keeps the thread, another thread can ask which work that is. */
export async function asWork<T>(work: Work, run: () => Promise<T>): Promise<T> {
  begun += 1;
  const numbered = { ...work, number: begun };
  for (const listener of listeners) listener.began(numbered);
  try {
    return await storage.run(numbered, run);
  } finally {
    for (const listener of listeners) listener.ended(numbered.number);
  }
}

export function listenToWork(listener: WorkListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the main thread does at this moment: read by its inspector, also in the middle of a loop. */
export interface Observed {
  work: NumberedWork | null;
  stack: string;
}

const PROBE = 'surefootCurrentWork';
/** Frames of the probe itself, and of the inspector's evaluation. */
const OWN_FRAMES = 3;
const MOST_FRAMES = 30;

/** The expression that answers with an Observed as JSON. */
export const OBSERVE = `globalThis.${PROBE}?.()`;

Object.defineProperty(globalThis, PROBE, {
  configurable: true,
  value: (): string => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = MOST_FRAMES;
    const stack = (new Error('stall').stack ?? '').split('\n').slice(OWN_FRAMES).join('\n');
    Error.stackTraceLimit = stackTraceLimit;
    return JSON.stringify({ work: storage.getStore() ?? null, stack } satisfies Observed);
  },
});
