import { parseArgs } from 'node:util';
import { ReadingSchema, type Reading } from '../../contracts/models/reading';
import { UsageError, wholeNumber } from '../chaos/options';
import { CHARACTERS } from '../characters/characters';
import { WEIGHTS } from './weights';

const HELP = `npm run bench -- small-models
  --base-url URL   a server that is up, by OpenAI's protocol, in place of weights that are fetched by pip
  --model NAME     one of its models, or else one of ${[...WEIGHTS, ...CHARACTERS].map(({ name }) => name).join(', ')};
                   may be repeated, all of them by default
  --only KIND      cases of this kind; may be repeated
  --reading WHO    who reads plain steps and tasks: the model by default, so that it leads them; with “both” the rules
                   first, as sessions of small models have it
  --limit N        at most so many decisions and flows of each kind
  --decisions      no flows
  --flows          no decisions`;

export interface Options {
  baseURL: string | undefined;
  models: readonly string[];
  kinds: readonly string[];
  limit: number;
  reading: Reading;
  isWanted: { decisions: boolean; flows: boolean };
}

/** Returns undefined where only help was asked for, which it prints. */
export function readOptions(args: string[]): Options | undefined {
  const values = parse(args);
  if (values.help === true) {
    console.log(HELP);
    return undefined;
  }
  const { 'base-url': baseURL, model: models = [], only: kinds = [], limit = '1000', decisions, flows } = values;
  const reading = ReadingSchema.safeParse(values.reading ?? 'model');
  if (!reading.success)
    throw new UsageError(`--reading takes one of ${ReadingSchema.options.join(', ')}, got ${values.reading}.`);
  if (baseURL !== undefined && !(URL.canParse(baseURL) && /^https?:/.test(baseURL)))
    throw new UsageError(`--base-url takes an address such as http://127.0.0.1:8080/v1, got ${baseURL}.`);
  if (baseURL !== undefined && models.length === 0)
    throw new UsageError('With --base-url name a model of that server: --model NAME.');
  const isAll = decisions === flows;
  const isWanted = { decisions: isAll || decisions === true, flows: isAll || flows === true };
  return { baseURL, models, kinds, limit: wholeNumber('--limit', limit, 1), reading: reading.data, isWanted };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: 'boolean' },
        'base-url': { type: 'string' },
        model: { type: 'string', multiple: true },
        only: { type: 'string', multiple: true },
        limit: { type: 'string' },
        reading: { type: 'string' },
        decisions: { type: 'boolean' },
        flows: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
