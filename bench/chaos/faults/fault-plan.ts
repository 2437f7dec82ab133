import { setTimeout as sleep } from 'node:timers/promises';
import { StreamEventType } from '../../../contracts/events/stream-event';
import { listBrowserRecords } from '../../../worker/keeper/chrome/browser-record';
import { faultsFired, type FaultPoint } from '../../../runtime/fault-point';
import type { Store } from '../../../store/store';
import type { Scenario } from '../scenarios/scenario';
import { POINTS_OF_TASKS } from './fault-points';
import { type Random } from '../random';
import { browsersFolder } from './targets';

/** The faults of one session: which passes of which fault points kill the process. */
export interface FaultPlan {
  faults: string;
  /** Only a task passes all of these points. */
  needsTask: boolean;
  /** What the session does; the demo without one. */
  scenario?: Scenario;
  /** The session's Chrome is killed after this many commands, because only that leads to a restore. */
  losesChromeAfter?: number;
}

/** How often a demo session passes each point at least. */
const PASSINGS: Partial<Record<FaultPoint, number>> = {
  'during-acquire': 1,
  'during-takeover': 1,
  // The second: the first worker of a Chrome is let in without a takeover.
  'during-fence': 2,
  'during-restore': 1,
  'during-handover': 1,
  'during-checkpoint': 5,
  'between-commands': 12,
  'between-steps': 6,
};
const POINTS_OF_TAKEOVERS: readonly FaultPoint[] = ['during-takeover', 'during-fence'];
const COMMON_PASSINGS = 9;
/** The demo has about twenty commands: late enough to lose a page, early enough to reach a point afterwards. */
const LAST_LOSS = 13;
const LOOK_MS = 50;

export function planFaults(points: readonly FaultPoint[], random: Random): FaultPlan {
  const nth = (most: number): number => 1 + Math.floor(random() * most);
  const faults = points.flatMap((point) => {
    const fault = `kill@${point}:${nth(PASSINGS[point] ?? COMMON_PASSINGS)}`;
    // A takeover needs a dead worker.
    return POINTS_OF_TAKEOVERS.includes(point) ? [`kill@after-intent:${nth(COMMON_PASSINGS)}`, fault] : [fault];
  });
  const needsTask = points.some((point) => POINTS_OF_TASKS.includes(point));
  const losesChromeAfter = points.includes('during-restore') ? 1 + nth(LAST_LOSS) : undefined;
  return { faults: faults.join(), needsTask, ...(losesChromeAfter === undefined ? {} : { losesChromeAfter }) };
}

/** The faults of the session that is the nth (from 0) of these scenarios. */
export function planScenario(scenarios: readonly Scenario[], nth: number): FaultPlan {
  const scenario = scenarios[nth % scenarios.length]!;
  const round = Math.floor(nth / scenarios.length);
  return { faults: scenario.faults[round % scenario.faults.length]!, needsTask: false, scenario };
}

/** Reports each kill of the plan as it happens, until the session is over. */
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

/** Resolves to false while the database is unavailable. */
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
