import { join } from 'node:path';
import { dataFolder } from '../../cli/stack/data-folder';
import type { Connection } from '../../contracts/sessions/model-connections';
import { UsageError } from '../chaos/options';
import { CHARACTERS } from '../characters/characters';
import { startCharacterServer } from '../characters/server';
import { o200k } from '../characters/tokenizer';
import type { Options } from './options';
import { serveWeights } from './serve-weights';
import { fetchServer, fetchWeights, WEIGHTS } from './weights';
import { openWire, type Wire } from './wire';

const KEY = 'OPENAI_COMPATIBLE_API_KEY';

/** What leads the cases: weights, a model of a server that is up, or a scripted character. */
export interface Leader {
  name: string;
  isCharacter: boolean;
  connection: Connection;
  wire: Wire;
}

interface Started {
  stop(): Promise<void>;
}

/** Brings up what was asked for; what is up is in `started` also where a later one fails. */
export async function startLeaders(
  { baseURL, models }: Pick<Options, 'baseURL' | 'models'>,
  started: Started[],
): Promise<Leader[]> {
  if (baseURL !== undefined) return await Promise.all(models.map((name) => lead(name, baseURL, false)));
  const isAsked = ({ name }: { name: string }): boolean => models.length === 0 || models.includes(name);
  const known = [...WEIGHTS, ...CHARACTERS].map(({ name }) => name);
  const unknown = models.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no model “${unknown}” here; there are: ${known.join(', ')}. Or give --base-url.`);
  const leaders: Leader[] = [];
  const folder = join(dataFolder(), 'small-models');
  for (const weights of WEIGHTS.filter(isAsked)) {
    const server = await serveWeights(await fetchWeights(weights, folder), await fetchServer(folder));
    started.push(server);
    leaders.push(await lead(weights.name, server.url, false));
  }
  const characters = CHARACTERS.filter(isAsked);
  if (characters.length === 0) return leaders;
  const server = await startCharacterServer(o200k());
  started.push(server);
  for (const { name } of characters) leaders.push(await lead(name, server.url, true));
  return leaders;

  async function lead(name: string, url: string, isCharacter: boolean): Promise<Leader> {
    const wire = await openWire(url);
    started.push(wire);
    const key = process.env[KEY] === undefined ? {} : { keyEnv: KEY };
    const profile = isCharacter ? 'full' : 'small';
    const connection = { vendor: 'ai:openai-compatible', model: name, baseURL: wire.url, profile, ...key } as const;
    return { name, isCharacter, connection, wire };
  }
}
