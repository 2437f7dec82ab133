import { createContext, useContext } from 'react';
import type { FrozenSession } from '../../contracts/events/frozen-session';

/** Set where a session is shown as it was, in a file of its own: nothing can be asked, pressed or followed there. */
export const FrozenContext = createContext<FrozenSession<unknown> | undefined>(undefined);

export function useFrozen(): FrozenSession<unknown> | undefined {
  return useContext(FrozenContext);
}

/** `2026-11-27 15:09:55 UTC`: a reader in any zone understands it. */
export function timeText(at: string | Date): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
