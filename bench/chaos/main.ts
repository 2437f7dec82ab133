import { FAULTS_BY_FILE } from '../../runtime/fault-point';
import { openStage } from '../stage';
import { ms } from '../statistics';
import { judge } from './judge';
import { makeKills } from './kills';
import { openLanes } from './lanes';
import { leftoversOf, remainsOf } from './leftovers';
import { readOptions, UsageError, type ChaosOptions } from './options';
import { seededRandom } from './random';
import { report } from './report';

/** What the demo session signs in with. */
const SHOP_PASSWORD = 'lovelace';

/** Kills processes under running sessions and compares, at the end, everything that was counted; true when all is well. */
async function runChaos(options: ChaosOptions): Promise<boolean> {
  const { kills: wanted, seed, targets, sessions: lanesWanted, point } = options;
  const random = seededRandom(seed);
  const stage = await openStage({ SHOP_PASSWORD, ...(point === undefined ? {} : FAULTS_BY_FILE) });
  const leftovers: string[] = [];
  try {
    const lanes = openLanes(stage, lanesWanted, random);
    const kills = await makeKills(stage, lanes, options, random, ({ what, wholeAfterMs }, number) =>
      console.log(`  kill ${number} of ${wanted}: ${what}, all ready again after ${ms(wholeAfterMs)}`),
    );
    const played = await lanes.finish();
    leftovers.push(...(await leftoversOf(stage, played)));
    const sessions = await Promise.all(played.map((each) => judge(stage, each)));
    const viewings = played.flatMap((each) => each.viewings);
    await stage.stop(() => leftovers.push(...remainsOf(stage.home)));
    return report({
      title: `Chaos: seed ${seed}, ${point === undefined ? targets.join(', ') : `at ${point}`}, ${lanesWanted} sessions at a time`,
      kills,
      sessions,
      viewers: viewings.length,
      connections: viewings.reduce((sum, { connections }) => sum + connections, 0),
      leftovers,
    });
  } finally {
    await stage.stop();
  }
}

async function main(): Promise<number> {
  return (await runChaos(readOptions(process.argv.slice(2)))) ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof UsageError ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
