import { UsageError } from './chaos/options';
import { measureBatch } from './batch/batch';
import { serveCharacters } from './characters/serve';
import { measureDensity } from './density';
import { measureEngine } from './engine';
import { measureLimits } from './limits/limits';
import { measureObservations } from './observe/observe';
import { measurePageMemory } from './page-memory';
import { measurePages } from './pages/pages';
import { measurePeers } from './peers/peers';
import { measureRecovery } from './recovery';
import { measureMutations } from './replay/measure-mutations';
import { measureReplay } from './replay/replay';
import { startStacksTogether } from './stacks';
import { measureSmallModels } from './small-models/small-models';
import { measureSleepers } from './sleepers';
import { measureStrangers } from './strangers/strangers';
import { measureSoak } from './soak/soak';
import { measureTokens } from './tokens';
import { measureView } from './view/view';
import { measureWaiting } from './waiting';
import { measureWebPage } from './web-page';

/** Each bench resolves to false when a measured value broke a rule. */
const BENCHES: Record<string, (args: string[]) => Promise<boolean | void>> = {
  batch: measureBatch,
  characters: serveCharacters,
  density: measureDensity,
  engine: measureEngine,
  limits: measureLimits,
  mutations: measureMutations,
  observe: measureObservations,
  'page-memory': measurePageMemory,
  pages: measurePages,
  peers: measurePeers,
  recovery: measureRecovery,
  replay: measureReplay,
  'small-models': measureSmallModels,
  sleepers: measureSleepers,
  soak: measureSoak,
  stacks: startStacksTogether,
  strangers: measureStrangers,
  tokens: measureTokens,
  view: measureView,
  waiting: measureWaiting,
  'web-page': measureWebPage,
};

const [name = 'engine', ...args] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench === undefined) {
  console.error(`There is no bench “${name}”; expected one of: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
bench(args).then(
  (isGood) => process.exit(isGood === false ? 1 : 0),
  (error: unknown) => {
    console.error(error instanceof UsageError ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
