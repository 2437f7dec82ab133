import { CliError } from '../../cli/context/exit';
import { runAll } from '../../cli/eval/run-all';
import { runLine } from '../../cli/render/eval-text';
import { createApiClient } from '../../client/http/api-client';
import type { Reading } from '../../contracts/models/reading';
import { UsageError } from '../chaos/options';
import { openHarness, SHOP_PASSWORD, type Harness } from '../harness/harness';
import { FOLDER, readSuites, type Suite } from './cases';
import { startLeaders, type Leader } from './leaders';
import { readOptions } from './options';
import { falselyCompleted, table, type LedRun } from './report';

/** Weights of this size take half a minute for a call on two cores. */
const CALL_SECONDS = '240';

/**
 * Has small weights, or a model of a server that is up, and scripted characters lead single decisions and whole flows through
 * a whole stack. False where a character reported as done what is not: weights are measured, characters are held to it.
 */
export async function measureSmallModels(args: string[]): Promise<boolean> {
  const options = readOptions(args);
  if (options === undefined) return true;
  const suites = readSuites(options);
  const started: { stop(): Promise<void> }[] = [];
  const runs: LedRun[] = [];
  try {
    const leaders = await startLeaders(options, started);
    const connections = Object.fromEntries(leaders.map(({ connection }, index) => [idOf(index), connection]));
    const env = { SUREFOOT_CONNECTIONS: JSON.stringify(connections), SUREFOOT_MODEL_TIMEOUT_SECONDS: CALL_SECONDS };
    const harness = await openHarness({ ...env, SHOP_PASSWORD });
    started.push({ stop: () => harness.stop() });
    for (const [index, leader] of leaders.entries())
      for (const suite of suites)
        await runSuite(harness, leader, idOf(index), suite, options.reading, (run) => runs.push(run));
    const characters = new Set(leaders.filter(({ isCharacter }) => isCharacter).map(({ name }) => name));
    return !falselyCompleted(runs).some(({ model }) => characters.has(model));
  } finally {
    // Also where a server failed in the middle.
    if (runs.length > 0) for (const line of table(runs)) console.log(line);
    for (const each of started.toReversed()) await each.stop();
  }
}

const idOf = (index: number): string => `leader-${index}`;

async function runSuite(
  { api, shop }: Harness,
  { name: model, isCharacter, wire }: Leader,
  connection: string,
  { name: suite, file, cases }: Suite,
  wanted: Reading,
  onRun: (run: LedRun) => void,
): Promise<void> {
  // A character understands no question about words.
  const reading = isCharacter ? {} : { reading: wanted };
  const led = { ...file, config: { ...file.config, ...reading, aiConnectionId: connection } };
  const plan = { file: led, folder: FOLDER, cases, models: [undefined], repeats: 1, names: { shop }, parallel: 1 };
  let before = wire.sentBack();
  const { signal } = new AbortController();
  await runAll(createApiClient(api), plan, signal, (ended) => {
    const run = { ...ended, model, suite, invalid: wire.sentBack() - before };
    before = wire.sentBack();
    onRun(run);
    console.log(runLine(run));
  }).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    throw new UsageError([error.message, ...error.details].join('\n'));
  });
}
