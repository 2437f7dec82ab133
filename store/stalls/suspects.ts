import type { NumberedWork } from '../../runtime/current-work';

/** The work that may keep the main thread: one where that is certain, else all that may. */
export interface Suspects {
  works: readonly NumberedWork[];
  isCertain: boolean;
}

/** Of more work than this none is more likely than by chance. */
const MOST = 20;

/**
 * Finds the work that keeps the main thread. What the thread says it is at may have ended, because the handlers of a
 * connection belong to the work that has opened it: then it is other work of the same session.
 */
export function suspectsOf(said: NumberedWork | null, underWay: ReadonlyMap<number, NumberedWork>): Suspects {
  if (said !== null && underWay.has(said.number)) return { works: [said], isCertain: true };
  const all = [...underWay.values()];
  const ofSession = said?.sessionId === undefined ? [] : all.filter(({ sessionId }) => sessionId === said.sessionId);
  const works = ofSession.length > 0 ? ofSession : all;
  return { works: works.slice(0, MOST), isCertain: works.length === 1 };
}
