import { parseArgs } from 'node:util';
import { FAULT_POINTS, type FaultPoint } from '../../runtime/fault-point';

/** Whom to kill, by the names that the supervisor gives its children; a browser is no child of its. */
export const TARGETS = {
  engine: /^engine-/,
  worker: /^browser-/,
  keeper: /^keeper$/,
  browser: undefined,
  api: /^api$/,
  temporal: /^temporal$/,
  postgres: /^postgres$/,
} as const;
export type Target = keyof typeof TARGETS;

export interface ChaosOptions {
  kills: number;
  seed: number;
  targets: readonly Target[];
  /** How many sessions run beside each other. */
  sessions: number;
  /** Kill at this point of the code instead of at random moments. */
  point: FaultPoint | undefined;
}

export class UsageError extends Error {}

export function readOptions(args: string[]): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      target: { type: 'string', default: 'all' },
      sessions: { type: 'string', default: '3' },
      point: { type: 'string' },
    },
  });
  const { target, point } = values;
  if (target !== 'all' && !(target in TARGETS))
    throw new UsageError(`--target: expected all or one of ${Object.keys(TARGETS).join(', ')}; got “${target}”.`);
  if (point !== undefined && !(point in FAULT_POINTS))
    throw new UsageError(`--point: expected one of ${Object.keys(FAULT_POINTS).join(', ')}; got “${point}”.`);
  return {
    kills: wholeNumber('--kills', values.kills, 1),
    seed: wholeNumber('--seed', values.seed, 0),
    targets: target === 'all' ? (Object.keys(TARGETS) as Target[]) : [target as Target],
    sessions: wholeNumber('--sessions', values.sessions, 1),
    point: point as FaultPoint | undefined,
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new UsageError(`${name}: expected a whole number from ${least}, got “${text}”.`);
  return number;
}
