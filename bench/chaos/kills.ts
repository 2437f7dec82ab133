import { setTimeout as sleep } from 'node:timers/promises';
import { armFaults, faultsFired, type FaultPoint } from '../../runtime/fault-point';
import type { Stage } from '../stage';
import type { Lanes } from './lanes';
import type { ChaosOptions } from './options';
import { persist } from './persist';
import { between, oneOf, type Random } from './random';
import { isWholeAgain, victimsOf, type Victim } from './victims';

export interface Kill {
  at: number;
  /** A target, or the point at which it was. */
  what: string;
  /** Sessions that ran and may be affected. */
  running: string[];
  /** Until every process was there and ready again. */
  wholeAfterMs: number;
}

const WHOLE_WITHIN_MS = 60_000;
const MOMENT_MS = { least: 200, most: 2500 };
/** The supervisor takes a child that dies sooner than this for a sick one, and lets it wait before it starts again. */
const LIFE_MS = 10_500;

/** Makes the kills, one after another, each at a moment drawn from the seed; tells of every one. */
export async function makeKills(
  stage: Stage,
  lanes: Lanes,
  { kills, targets, point }: ChaosOptions,
  random: Random,
  tell: (kill: Kill, number: number) => void,
): Promise<Kill[]> {
  const made: Kill[] = [];
  const diedAt = new Map<string, number>();
  while (made.length < kills) {
    await persist('a session runs', WHOLE_WITHIN_MS, () => (lanes.running().length > 0 ? true : undefined));
    await sleep(between(random, MOMENT_MS.least, MOMENT_MS.most));
    const kill =
      point === undefined
        ? await killOne(stage, lanes, targets, random, diedAt)
        : await killAtPoint(stage, lanes, point, random);
    made.push(kill);
    tell(kill, made.length);
  }
  return made;
}

async function killOne(
  stage: Stage,
  lanes: Lanes,
  targets: ChaosOptions['targets'],
  random: Random,
  diedAt: Map<string, number>,
): Promise<Kill> {
  const rested = ({ name, sessionId }: Victim): boolean =>
    sessionId !== undefined || Date.now() - (diedAt.get(name) ?? 0) > LIFE_MS;
  const victim = await persist('somebody to kill', WHOLE_WITHIN_MS, () => {
    const choices = targets.map((target) => victimsOf(stage, target).filter(rested)).filter((list) => list.length > 0);
    return oneOf(random, oneOf(random, choices) ?? []);
  });
  process.kill(victim.pid, 'SIGKILL');
  const at = Date.now();
  diedAt.set(victim.name, at);
  const running = victim.sessionId === undefined ? lanes.running() : [victim.sessionId];
  await whole(stage, [victim.pid]);
  return { at, what: victim.target, running, wholeAfterMs: Date.now() - at };
}

/** The process that passes the point next but some has itself killed there. */
async function killAtPoint(stage: Stage, lanes: Lanes, point: FaultPoint, random: Random): Promise<Kill> {
  const isRare = point === 'during-acquire' || point === 'during-takeover';
  const faults = [`kill@${point}:${isRare ? 1 : 1 + Math.floor(random() * 12)}`];
  // Nobody takes over from a worker that lives.
  if (point === 'during-takeover') faults.push(`kill@after-intent:${1 + Math.floor(random() * 12)}`);
  armFaults(stage.home, faults.join());
  await persist(`the point ${point} is reached`, WHOLE_WITHIN_MS, () =>
    faultsFired(stage.home) === faults.length ? true : undefined,
  );
  const at = Date.now();
  const running = lanes.running();
  await whole(stage, []);
  const wholeAfterMs = Date.now() - at;
  await sleep(LIFE_MS / 2);
  return { at, what: point, running, wholeAfterMs };
}

async function whole(stage: Stage, killed: number[]): Promise<void> {
  await persist('every process of the stack is ready again', WHOLE_WITHIN_MS, async () =>
    (await isWholeAgain(stage, killed)) ? true : undefined,
  );
}
