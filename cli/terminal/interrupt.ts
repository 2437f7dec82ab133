import { readerGone } from './broken-pipe';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * Ctrl-C reaches the whole process group, and npm passes it on to its child again: two signals within this time are one
 * press.
 */
const SAME_PRESS_MS = 500;
/** This many presses end the process at once, whatever is left running. */
const PRESSES_TO_LEAVE = 3;

export interface Interrupt {
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP, and when the reader of our output closes the pipe. */
  signal: AbortSignal;
  /** Resolves when the signal aborts. */
  interrupted: Promise<void>;
  /** Restores Node's own handling of the signals. */
  end(): void;
}

/** Turns Ctrl-C into an abort signal, so that the command can end in order. */
export function listenForInterrupt(onRepeated: () => void = () => undefined): Interrupt {
  const controller = new AbortController();
  let presses = 0;
  let lastAt = -Infinity;
  const onSignal = () => {
    const isSamePress = performance.now() - lastAt < SAME_PRESS_MS;
    lastAt = performance.now();
    if (isSamePress) return;
    presses += 1;
    if (presses >= PRESSES_TO_LEAVE) process.exit(130);
    if (presses > 1) onRepeated();
    controller.abort();
  };
  const onReaderGone = () => controller.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  readerGone.addEventListener('abort', onReaderGone);
  if (readerGone.aborted) controller.abort();
  return {
    signal: controller.signal,
    interrupted: aborted(controller.signal),
    end() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      readerGone.removeEventListener('abort', onReaderGone);
    },
  };
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
