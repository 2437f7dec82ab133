import { useSyncExternalStore } from 'react';

let now = Date.now();
const readers = new Set<() => void>();
let timer: number | undefined;

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  timer ??= window.setInterval(() => {
    now = Date.now();
    for (const each of readers) each();
  }, 1000);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

/** The time in milliseconds; whoever reads it is shown anew each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
