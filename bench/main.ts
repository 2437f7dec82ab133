import { measureEngine } from './engine';
import { measureRecovery } from './recovery';

const BENCHES: Record<string, () => Promise<void>> = { engine: measureEngine, recovery: measureRecovery };

const [name = 'engine'] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench === undefined) {
  console.error(`There is no bench “${name}”; there are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
bench().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
