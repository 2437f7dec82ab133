import { useSyncExternalStore } from 'react';

/** As the style sheets have it. */
const query = window.matchMedia('(max-width: 900px)');

function subscribe(reader: () => void): () => void {
  query.addEventListener('change', reader);
  return () => query.removeEventListener('change', reader);
}

/** Whether the window is as narrow as that of a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
