import { parseArgs } from 'node:util';
import { UsageError, wholeNumber } from '../chaos/options';

export interface PeersOptions {
  times: number;
  kills: number;
  seed: number;
  only: readonly string[];
}

const HELP = `npm run bench -- peers
  --times N      runs of each system that are measured, in turn (3)
  --kills K      kills of each system's driver after that, 0 for none (60)
  --seed N       of the moments of the kills (1)
  --only SYSTEM  the system of this name, or those that contain it; may be repeated`;

/** Returns undefined where only help was asked for, which it prints. */
export function readPeersOptions(args: string[]): PeersOptions | undefined {
  const { help, times, kills, seed, only } = parse(args);
  if (help === true) {
    console.log(HELP);
    return undefined;
  }
  return {
    times: wholeNumber('--times', times, 1),
    kills: wholeNumber('--kills', kills, 0),
    seed: wholeNumber('--seed', seed, 0),
    only,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean', short: 'h' },
        times: { type: 'string', default: '3' },
        kills: { type: 'string', default: '60' },
        seed: { type: 'string', default: '1' },
        only: { type: 'string', multiple: true, default: [] },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
