import { createPricing } from '../activities/engine/models/calls/prices';
import { checkModel } from '../activities/engine/models/checks/check-model';
import type { ModelCheck } from '../contracts/models/model-check';
import { modelChain } from '../contracts/models/model-name';
import { runMain } from '../runtime/process';
import { SETTINGS } from '../runtime/settings/definitions';
import { readSetting } from '../runtime/settings/setting';

/**
 * Tries each model of a chain and prints what it finds as a JSON array, for `surefoot doctor --model`. It is a process
 * of its own, with the environment of a worker, because the command line may not import a model.
 */
runMain('surefoot model check', async () => {
  const chain = modelChain(process.argv[2] ?? readSetting(SETTINGS.model, process.env));
  const pricing = createPricing(readSetting(SETTINGS.prices, process.env));
  const checks: ModelCheck[] = [];
  for (const name of chain.filter((each) => each !== 'rules'))
    checks.push(...(await checkModel(name, process.env, pricing)));
  await new Promise((resolve) => process.stdout.write(JSON.stringify(checks), resolve));
});
