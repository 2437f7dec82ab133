import { createPricing } from '../activities/models/calls/prices';
import { checkModel } from '../activities/models/calls/check-model';
import { modelChain } from '../contracts/models/model-name';
import { runMain } from '../runtime/process';

/**
 * Asks each model of a chain once and prints what came of it as a JSON array, for `surefoot doctor --model`: a process
 * with the environment of a worker, because the command line itself reaches no model.
 */
runMain('surefoot model check', async () => {
  const chain = modelChain(process.argv[2] ?? process.env['SUREFOOT_MODEL'] ?? '');
  const pricing = createPricing(process.env['SUREFOOT_PRICES']);
  const trials = await Promise.all(
    chain.filter((name) => name !== 'rules').map((name) => checkModel(name, process.env, pricing)),
  );
  await new Promise((resolve) => process.stdout.write(JSON.stringify(trials), resolve));
});
