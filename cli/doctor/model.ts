import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ModelCheckSchema } from '../../contracts/models/model-check';
import { modelChain, modelProblem, parseModelName } from '../../contracts/models/model-name';
import { accountOf, type VendorSetting } from '../../contracts/models/vendors';
import { CliError } from '../context/exit';
import { oneLineOf } from '../context/failure';
import { finding, type Finding } from './check';

/** A few calls of each model, by a server that may load it first. */
const WITHIN_MS = 600_000;
const CHECKER = join(__dirname, '..', '..', 'worker', 'check-model-main.js');

/** Tries each model of a chain with small calls, with the environment of this shell and the base URL, if one is given. */
export async function checkModels(setting: string, baseUrl?: string): Promise<Finding[]> {
  const problem = modelProblem(setting);
  if (problem !== undefined) return [finding('bad', 'Model', `${setting}: ${problem}.`)];
  const builtIn = modelChain(setting).includes('rules')
    ? [finding('good', 'Model', 'rules is built in; nothing is called')]
    : [];
  const env = { ...process.env, ...(baseUrl === undefined ? {} : baseUrlSettings(setting, baseUrl)) };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CHECKER, setting], { timeout: WITHIN_MS, env });
    return [...z.array(ModelCheckSchema).parse(JSON.parse(stdout)), ...builtIn];
  } catch (error) {
    return [finding('bad', 'Model', `${setting} could not be checked: ${oneLineOf(error)}.`)];
  }
}

/** The variables that send the calls of all models of a chain to one address. */
function baseUrlSettings(setting: string, baseUrl: string): Record<string, string> {
  if (!/^https?:\/\/[^/]/.test(baseUrl))
    throw new CliError(`--base-url must be an address such as http://127.0.0.1:8080/v1, not ${baseUrl}.`);
  const entries = modelChain(setting).flatMap((name): [string, string][] => {
    const vendor = parseModelName(name)?.vendor ?? 'rules';
    if (vendor === 'rules') return [];
    const settings: Readonly<Record<string, VendorSetting>> = accountOf(vendor, process.env).account.settings;
    const variable = settings['baseURL']?.variables[0];
    if (variable === undefined)
      throw new CliError(`--base-url is not for models of ${vendor}, which has no base URL: leave it out.`);
    return [[variable, baseUrl]];
  });
  return Object.fromEntries(entries);
}
