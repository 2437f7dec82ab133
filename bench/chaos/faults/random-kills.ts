import { setTimeout as sleep } from 'node:timers/promises';
import type { Harness } from '../../harness/harness';
import type { SessionLoad } from '../load/session-load';
import type { ChaosOptions } from '../options';
import type { TargetKind } from './target-kinds';
import { retryUntil } from '../retry-until';
import { between, oneOf, type Random } from '../random';
import { signalNow } from './signal-now';
import { isBack, findTargets, type KillTarget } from './targets';

export interface Kill {
  at: number;
  /** The kind of the target, or the fault point. */
  what: string;
  /** Sessions that the kill may have delayed. */
  affected: string[];
  /** Time until the killed process was running and ready again. */
  backAfterMs?: number;
  /** The name of a process that was not ready again within two minutes. */
  missing?: string;
}

/** The next kill waits at most this long for a command after the last one. */
const COMMAND_WITHIN_MS = 20_000;
/** With more dead processes no session makes progress, and one delay counts for many kills. */
const DEAD_AT_ONCE = 2;
const TARGET_WITHIN_MS = 60_000;
const BACK_WITHIN_MS = 120_000;
const LEASES_WITHIN_MS = 200;
/** From the first command after a kill to the next kill. */
const MOMENT_MS = { least: 300, most: 2300 };
/** A session that loses more browsers in one batch fails, by design. */
const CHROMES_OF_A_SESSION = 3;
/** Long enough for a click to wait in its socket, and for the next worker to ask for the browser. */
const STALL_MS = { beforeKill: 300, afterKill: 4000 };
const SHARE_OF_PAIRS = 0.12;
/** Pairs of targets that are sometimes killed together. */
const PAIRS: readonly (readonly [TargetKind, TargetKind])[] = [
  ['worker', 'keeper'],
  ['engine', 'temporal'],
  ['worker', 'worker'],
  ['engine', 'engine'],
  ['worker', 'browser'],
  ['engine', 'postgres'],
  ['keeper', 'browser'],
];

/** Kills processes at moments drawn from the seed, and reports each kill. */
export async function killAtRandomMoments(
  harness: Harness,
  load: SessionLoad,
  { kills, targets }: ChaosOptions,
  random: Random,
  report: (kill: Kill, number: number) => void,
  ending: AbortSignal,
): Promise<Kill[]> {
  const made: Kill[] = [];
  const returns: Promise<void>[] = [];
  let away = 0;
  const chromes = new Map<string, number>();
  const choose = (target: TargetKind): KillTarget[] =>
    findTargets(harness, target).filter(
      ({ sessionId }) => sessionId === undefined || (chromes.get(sessionId) ?? 0) < CHROMES_OF_A_SESSION,
    );
  while (made.length < kills) {
    await retryUntil('a session runs', TARGET_WITHIN_MS, () => (load.running().length > 0 ? true : undefined));
    await retryUntil('most of the stack is back', BACK_WITHIN_MS, () => (away < DEAD_AT_ONCE ? true : undefined));
    const { at: lastAt } = made.at(-1) ?? { at: 0 };
    const isGoingOn = (): true | undefined => (load.lastCommandAt() > lastAt ? true : undefined);
    await retryUntil('a command after the last kill', COMMAND_WITHIN_MS, isGoingOn).catch(() => {});
    await sleep(between(random, MOMENT_MS.least, MOMENT_MS.most));
    const drawn = await retryUntil('somebody to kill', TARGET_WITHIN_MS, () => drawTargets(targets, random, choose));
    const marked = await Promise.all(
      drawn.map(async (killTarget) => ({
        killTarget,
        affected: await affectedBy(harness, killTarget, load.running()),
      })),
    );
    // After the abort the supervisor stops these processes in order.
    ending.throwIfAborted();
    const at = Date.now();
    for (const { killTarget, affected } of marked.slice(0, kills - made.length)) {
      kill(harness, killTarget);
      const { target, sessionId } = killTarget;
      if (sessionId !== undefined) chromes.set(sessionId, (chromes.get(sessionId) ?? 0) + 1);
      const one: Kill = { at, what: target, affected };
      if (sessionId === undefined) {
        away += 1;
        returns.push(waitForReturn(harness, killTarget, one).finally(() => (away -= 1)));
      }
      made.push(one);
      report(one, made.length);
    }
  }
  await Promise.all(returns);
  return made;
}

function drawTargets(
  targets: readonly TargetKind[],
  random: Random,
  choose: (target: TargetKind) => KillTarget[],
): KillTarget[] | undefined {
  const pairs = PAIRS.filter((pair) => pair.every((target) => targets.includes(target)));
  const pair = random() < SHARE_OF_PAIRS ? oneOf(random, pairs) : undefined;
  const chosen: KillTarget[] = [];
  for (const target of pair ?? []) {
    const killTarget = oneOf(
      random,
      choose(target).filter(({ pid }) => chosen.every((other) => other.pid !== pid)),
    );
    if (killTarget !== undefined) chosen.push(killTarget);
  }
  if (chosen.length > 0) return chosen;
  const choices = targets.map(choose).filter((list) => list.length > 0);
  const one = oneOf(random, oneOf(random, choices) ?? []);
  return one && [one];
}

/** Kills the target, and the naive engine's worker of the same number. */
function kill(harness: Harness, killTarget: KillTarget): void {
  const { name, pid, target } = killTarget;
  if (target === 'stall') return void stall(harness, killTarget).catch(() => {});
  signalNow(pid, 'SIGKILL');
  if (target === 'worker') killNaive(harness, name.replace('browser', 'naive'));
}

export function killNaive(harness: Harness, name: string): void {
  const naive = harness.stack.processes().find((row) => row.name === name && row.alive);
  if (naive !== undefined) signalNow(naive.pid, 'SIGKILL');
}

/** Stops a Chrome, kills the worker that clicks in it, and continues the Chrome while the next worker takes over. */
async function stall(harness: Harness, { pid, sessionId }: KillTarget): Promise<void> {
  const lease = await harness.store.leases.get(sessionId!);
  const worker = harness.stack
    .processes()
    .find((row) => row.alive && lease?.workerId.includes(`-${row.pid}-`) === true);
  signalNow(pid, 'SIGSTOP');
  try {
    await sleep(STALL_MS.beforeKill);
    if (worker !== undefined) signalNow(worker.pid, 'SIGKILL');
    await sleep(STALL_MS.afterKill);
  } finally {
    signalNow(pid, 'SIGCONT');
  }
}

/** Returns the affected sessions: those of the Chrome or browser worker, or all for other targets. */
async function affectedBy(
  { store }: Harness,
  { target, pid, sessionId }: KillTarget,
  running: string[],
): Promise<string[]> {
  if (target === 'browser') return [sessionId!];
  if (target !== 'worker') return running;
  const reading = Promise.all(running.map((id) => store.leases.get(id))).catch(() => undefined);
  const leases = await Promise.race([reading, sleep(LEASES_WITHIN_MS, undefined)]);
  return leases === undefined
    ? []
    : leases.flatMap((lease) => (lease?.workerId.includes(`-${pid}-`) === true ? [lease.sessionId] : []));
}

async function waitForReturn(harness: Harness, { name, pid }: KillTarget, one: Kill): Promise<void> {
  const check = async (): Promise<true | undefined> => ((await isBack(harness, name, pid)) ? true : undefined);
  const isBackInTime = await retryUntil(`${name} is back`, BACK_WITHIN_MS, check).catch(() => false);
  if (isBackInTime) one.backAfterMs = Date.now() - one.at;
  else one.missing = name;
}
