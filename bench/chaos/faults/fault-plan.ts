import { setTimeout as sleep } from 'node:timers/promises';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { listBrowserRecords } from '../../../keeper/chrome/browser-record';
import { faultsFired, type FaultPoint } from '../../../runtime/fault-point';
import type { Store } from '../../../store/store';
import { POINTS_OF_TASKS } from './fault-points';
import { type Random } from '../random';
import { browsersFolder } from './targets';

/** What is to happen to one session at named points: which of its passings kill the process that it is in. */
export interface FaultPlan {
  faults: string;
  /** Only a task passes them all. */
  needsTask: boolean;
  /** The session's Chrome is killed when so many of its commands are through: nothing else leads to a restore. */
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
/** Of the demo's commands, which are some twenty: late enough for a page to be lost, early enough for a point to come. */
const LAST_LOSS = 13;
const LOOK_MS = 50;

export function planFaults(points: readonly FaultPoint[], random: Random): FaultPlan {
  const nth = (most: number): number => 1 + Math.floor(random() * most);
  const faults = points.flatMap((point) => {
    const fault = `kill@${point}:${nth(PASSINGS[point] ?? COMMON_PASSINGS)}`;
    // Nobody takes over from a worker that lives.
    return point === 'during-takeover' ? [`kill@after-intent:${nth(COMMON_PASSINGS)}`, fault] : [fault];
  });
  const needsTask = points.some((point) => POINTS_OF_TASKS.includes(point));
  const losesChromeAfter = points.includes('during-restore') ? 1 + nth(LAST_LOSS) : undefined;
  return { faults: faults.join(), needsTask, ...(losesChromeAfter === undefined ? {} : { losesChromeAfter }) };
}

/** Tells of each kill of the assault as it happens, until the session is over. */
export async function watchFaults(
  { home, store }: { home: string; store: Store },
  sessionId: string,
  { losesChromeAfter }: FaultPlan,
  isOver: () => boolean,
  report: (what: string, at: number) => void,
): Promise<void> {
  const reported = new Set<FaultPoint>();
  let hasChrome = losesChromeAfter !== undefined;
  const reportFired = (): void => {
    for (const { point, at } of faultsFired(home, sessionId)) {
      if (reported.has(point)) continue;
      reported.add(point);
      report(point, at.getTime());
    }
  };
  while (!isOver()) {
    reportFired();
    if (hasChrome && (await hasDone(store, sessionId, losesChromeAfter!)) && killChrome(home, sessionId)) {
      hasChrome = false;
      report('browser', Date.now());
    }
    await sleep(LOOK_MS);
  }
  reportFired();
}

/** False as well while the database is away. */
async function hasDone(store: Store, sessionId: string, commands: number): Promise<boolean> {
  const log = await store.log.read(sessionId, 0, 5000).catch(() => []);
  return log.filter(({ type }) => type === StreamEventType.COMMAND_COMPLETED).length >= commands;
}

function killChrome(home: string, sessionId: string): boolean {
  const chrome = listBrowserRecords(browsersFolder(home)).find(({ marker }) => marker?.sessionId === sessionId);
  if (chrome === undefined) return false;
  process.kill(chrome.marker!.pid, 'SIGKILL');
  return true;
}
