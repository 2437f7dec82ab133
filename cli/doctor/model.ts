import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { modelChain, modelProblem } from '../../contracts/models/model-name';
import { messageOf } from '../failure';
import { finding, type Finding } from './check';

const WITHIN_MS = 60_000;
const CHECKER = join(__dirname, '..', '..', 'worker', 'check-model-main.js');

const TrialsSchema = z.array(
  z.discriminatedUnion('isGood', [
    z.object({
      model: z.string(),
      isGood: z.literal(true),
      latencyMs: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cost: z.string().optional(),
    }),
    z.object({
      model: z.string(),
      isGood: z.literal(false),
      message: z.string(),
      suggestedAction: z.string().optional(),
    }),
  ]),
);

/** One tiny, paid call to each model of a chain, from this shell's environment. */
export async function checkModels(setting: string): Promise<Finding[]> {
  const problem = modelProblem(setting);
  if (problem !== undefined) return [finding('bad', 'Model', `${setting}: ${problem}.`)];
  const builtIn = modelChain(setting).includes('rules')
    ? [finding('good', 'Model', 'rules is built in; nothing is called')]
    : [];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CHECKER, setting], { timeout: WITHIN_MS });
    return [...TrialsSchema.parse(JSON.parse(stdout)).map(toFinding), ...builtIn];
  } catch (error) {
    return [finding('bad', 'Model', `${setting} could not be checked: ${messageOf(error)}.`)];
  }
}

function toFinding(trial: z.infer<typeof TrialsSchema>[number]): Finding {
  if (!trial.isGood) {
    const help = trial.suggestedAction === undefined ? '' : ` ${trial.suggestedAction}`;
    return finding('bad', 'Model', `${trial.message}${help}`);
  }
  const { model, latencyMs, inputTokens, outputTokens, cost } = trial;
  const price = cost === undefined ? 'its price is not known (SUREFOOT_PRICES)' : `$${cost}`;
  const used = `${inputTokens} tokens in, ${outputTokens} out, ${price}`;
  return finding('good', 'Model', `${model} answered in ${latencyMs} ms: ${used}`);
}
