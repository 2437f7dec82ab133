import { parseArgs } from 'node:util';
import type { FaultPoint } from '../../runtime/fault-point';
import { DEMO_POINTS } from './faults/fault-points';
import { TARGETS, type TargetKind } from './faults/target-kinds';
import { SCENARIOS } from './scenarios';
import { PUT_BACK_SERVERS, type PutBackServer } from './rolled-back/frozen-copy';
import { ROLLED_BACK_STORE, type RolledBackOptions } from './rolled-back/run-rolled-back';
import type { Scenario } from './scenarios/scenario';

export interface ChaosOptions {
  kills: number;
  seed: number;
  targets: readonly TargetKind[];
  /** How many sessions run at once. */
  sessions: number;
  /** Kills at these fault points, in turn, instead of at random moments. */
  points: readonly FaultPoint[] | undefined;
  /** Runs sessions of these scenarios, in turn, instead of the demo. */
  scenarios: readonly Scenario[] | undefined;
  /** Sessions are done by recipes, which have elements to heal. */
  isReplay: boolean;
  /** A file for the outcome as JSON. */
  json: string | undefined;
  /** How many flows of the naive engine run at once. */
  naive: number;
  /** Every n-th session of a loop is one task with approvals; 0 for none. */
  tasks: number;
}

export class UsageError extends Error {}

/** Parses the options of a run, the files whose outcomes to sum, or how often a server is put back to an earlier time. */
export function readOptions(args: string[]): ChaosOptions | { sum: string[] } | { rolledBack: RolledBackOptions } {
  const { values, positionals } = parse(args);
  if (values.sum === true) {
    if (positionals.length === 0) throw new UsageError('--sum: expected the files of runs that --json wrote.');
    return { sum: positionals };
  }
  const [stray] = positionals;
  if (stray !== undefined) throw new UsageError(`Expected options alone, got “${stray}”.`);
  const { target, point, scenario } = values;
  if (scenario === ROLLED_BACK_STORE)
    return {
      rolledBack: {
        rounds: wholeNumber('--kills', values.kills, 1),
        seed: wholeNumber('--seed', values.seed, 0),
        sessions: wholeNumber('--sessions', values.sessions, 1),
        servers: serversOf(target),
      },
    };
  if (target !== 'all' && !(target in TARGETS))
    throw new UsageError(`--target: expected all or one of ${Object.keys(TARGETS).join(', ')}; got “${target}”.`);
  if (point !== undefined && point !== 'all' && !DEMO_POINTS.includes(point as FaultPoint))
    throw new UsageError(`--point: expected all or one of ${DEMO_POINTS.join(', ')}; got “${point}”.`);
  if (point !== undefined && scenario !== undefined)
    throw new UsageError('Expected --point or --scenario: a scenario names its own points.');
  const isReplay = values.replay === true;
  if (isReplay && scenario !== undefined)
    throw new UsageError('Expected --replay or --scenario: the demo is what is replayed.');
  return {
    kills: wholeNumber('--kills', values.kills, 1),
    seed: wholeNumber('--seed', values.seed, 0),
    targets: target === 'all' ? (Object.keys(TARGETS) as TargetKind[]) : [target as TargetKind],
    sessions: wholeNumber('--sessions', values.sessions, 1),
    points: pointsOf(point),
    scenarios: scenario === undefined ? undefined : scenariosOf(scenario),
    isReplay,
    json: values.json,
    naive: wholeNumber('--naive', values.naive, 0),
    // A task leaves no recipe.
    tasks: isReplay ? 0 : wholeNumber('--tasks', values.tasks, 0),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        kills: { type: 'string', default: '40' },
        seed: { type: 'string', default: '1' },
        target: { type: 'string', default: 'all' },
        sessions: { type: 'string', default: '4' },
        point: { type: 'string' },
        scenario: { type: 'string' },
        replay: { type: 'boolean' },
        json: { type: 'string' },
        naive: { type: 'string', default: '1' },
        tasks: { type: 'string', default: '3' },
        sum: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function pointsOf(point: string | undefined): FaultPoint[] | undefined {
  if (point === undefined) return undefined;
  return point === 'all' ? [...DEMO_POINTS] : [point as FaultPoint];
}

function serversOf(target: string): readonly PutBackServer[] {
  const found = PUT_BACK_SERVERS.filter((each) => target === 'all' || each === target);
  if (found.length > 0) return found;
  throw new UsageError(`--target: expected all or one of ${PUT_BACK_SERVERS.join(', ')}; got “${target}”.`);
}

function scenariosOf(name: string): readonly Scenario[] {
  const found = SCENARIOS.filter((each) => name === 'all' || each.name === name);
  if (found.length > 0) return found;
  const names = [...SCENARIOS.map((each) => each.name), ROLLED_BACK_STORE].join(', ');
  throw new UsageError(`--scenario: expected all or one of ${names}; got “${name}”.`);
}

export function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new UsageError(`${name}: expected a whole number from ${least}, got “${text}”.`);
  return number;
}
