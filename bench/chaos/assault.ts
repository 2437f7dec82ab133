import { setTimeout as sleep } from 'node:timers/promises';
import { StreamEventType } from '../../contracts/events';
import { listMarkers } from '../../keeper/marker';
import { faultsFired, type FaultPoint } from '../../runtime/fault-point';
import type { Store } from '../../store/store';
import { type Random } from './random';
import { browsersFolder } from './victims';

/** What is to happen to one session at named points: which of its passings kill the process that it is in. */
export interface Assault {
  faults: string;
  /** The session's Chrome is killed at the end of this step: nothing else leads to a restore. */
  losesChromeAfter?: number;
}

/** A demo session passes each of these at least so often. */
const PASSINGS: Partial<Record<FaultPoint, number>> = {
  'during-acquire': 1,
  'during-takeover': 1,
  'during-restore': 1,
  'during-handover': 1,
  'during-checkpoint': 5,
  'between-commands': 12,
};
const COMMON_PASSINGS = 9;
const LOOK_MS = 50;

export function assaultAt(points: readonly FaultPoint[], random: Random): Assault {
  const nth = (most: number): number => 1 + Math.floor(random() * most);
  const faults = points.flatMap((point) => {
    const fault = `kill@${point}:${nth(PASSINGS[point] ?? COMMON_PASSINGS)}`;
    // Nobody takes over from a worker that lives.
    return point === 'during-takeover' ? [`kill@after-intent:${nth(COMMON_PASSINGS)}`, fault] : [fault];
  });
  const losesChromeAfter = points.includes('during-restore') ? nth(6) : undefined;
  return { faults: faults.join(), ...(losesChromeAfter === undefined ? {} : { losesChromeAfter }) };
}

/** Tells of each kill of the assault as it happens, until the session is over. */
export async function watchAssault(
  { home, store }: { home: string; store: Store },
  sessionId: string,
  { losesChromeAfter }: Assault,
  isOver: () => boolean,
  tell: (what: string, at: number) => void,
): Promise<void> {
  const told = new Set<FaultPoint>();
  let hasChrome = losesChromeAfter !== undefined;
  const tellFired = (): void => {
    for (const { point, at } of faultsFired(home, sessionId)) {
      if (told.has(point)) continue;
      told.add(point);
      tell(point, at.getTime());
    }
  };
  while (!isOver()) {
    tellFired();
    if (hasChrome && (await hasEnded(store, sessionId, losesChromeAfter!)) && killChrome(home, sessionId)) {
      hasChrome = false;
      tell('browser', Date.now());
    }
    await sleep(LOOK_MS);
  }
  tellFired();
}

/** False as well while the database is away. */
async function hasEnded(store: Store, sessionId: string, stepIndex: number): Promise<boolean> {
  const log = await store.log.read(sessionId, 0, 5000).catch(() => []);
  return log.some((record) => record.type === StreamEventType.STEP_COMPLETED && record.stepIndex === stepIndex);
}

function killChrome(home: string, sessionId: string): boolean {
  const chrome = listMarkers(browsersFolder(home)).find(({ marker }) => marker?.sessionId === sessionId);
  if (chrome === undefined) return false;
  process.kill(chrome.marker!.pid, 'SIGKILL');
  return true;
}
