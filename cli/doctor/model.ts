import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ModelCheckSchema, type ModelCheck } from '../../contracts/models/model-check';
import { modelChain, modelProblem } from '../../contracts/models/model-name';
import { oneLineOf } from '../context/failure';
import { finding, type Finding } from './check';

const WITHIN_MS = 60_000;
const CHECKER = join(__dirname, '..', '..', 'worker', 'check-model-main.js');

/** Makes one small, paid call to each model of a chain, with the environment of this shell. */
export async function checkModels(setting: string): Promise<Finding[]> {
  const problem = modelProblem(setting);
  if (problem !== undefined) return [finding('bad', 'Model', `${setting}: ${problem}.`)];
  const builtIn = modelChain(setting).includes('rules')
    ? [finding('good', 'Model', 'rules is built in; nothing is called')]
    : [];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CHECKER, setting], { timeout: WITHIN_MS });
    return [...z.array(ModelCheckSchema).parse(JSON.parse(stdout)).map(toFinding), ...builtIn];
  } catch (error) {
    return [finding('bad', 'Model', `${setting} could not be checked: ${oneLineOf(error)}.`)];
  }
}

function toFinding(check: ModelCheck): Finding {
  if (!check.isGood) {
    const help = check.suggestedAction === undefined ? '' : ` ${check.suggestedAction}`;
    return finding('bad', 'Model', `${check.message}${help}`);
  }
  const { model, latencyMs, inputTokens, outputTokens, cost } = check;
  const price = cost === undefined ? 'its price is not known (SUREFOOT_PRICES)' : `$${cost}`;
  const used = `${inputTokens} tokens in, ${outputTokens} out, ${price}`;
  return finding('good', 'Model', `${model} answered in ${latencyMs} ms: ${used}`);
}
