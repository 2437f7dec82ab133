import { readerGone } from './broken-pipe';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C reaches the whole process group, and npm passes it on to its child as well: that is one Ctrl-C, not two. */
const SAME_PRESS_MS = 500;
/** Who presses so often wants out, whatever is left behind. */
const PRESSES_TO_LEAVE = 3;

export interface Interrupt {
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP, and when the reader of our output has gone. */
  signal: AbortSignal;
  /** Resolves when the signal aborts. */
  interrupted: Promise<void>;
  /** Gives the signals back to Node. */
  end(): void;
}

/** From here on Ctrl-C does not end the process: the command ends itself in order. */
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
