import { join } from 'node:path';
import { z } from 'zod';
import { Redactor } from '../../secrets/redaction';
import type { Generation, GenerationRequest, LanguageModel } from '../language-model';
import { ProviderError } from '../providers/provider-error';
import { describeNearest } from './difference';
import { openCassetteFolder } from './folder';
import { canonicalRequest } from './canonical-request';
import { SETTINGS } from '../../../runtime/settings/definitions';
import { readSetting } from '../../../runtime/settings/setting';

/** An answer as it was written down: a generation, whatever belongs to one by now. */
const AnswerSchema = z.looseObject({ text: z.string(), model: z.string() });

/** What a variable is called that holds what nobody may read in a file. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;
const SHORTEST_SECRET = 6;

/**
 * A model whose calls are kept in files (SUREFOOT_MODEL_CASSETTE=record), or answered from them (replay): without a
 * vendor, without its rate limit, word by word as it was. Only whole answers are kept; a failure is never played again.
 */
export function withCassette(language: LanguageModel, env: NodeJS.ProcessEnv): LanguageModel {
  const folder = readSetting(SETTINGS.modelCassetteFolder, env) ?? join(readSetting(SETTINGS.home, env), 'cassettes');
  switch (readSetting(SETTINGS.modelCassette, env)) {
    case undefined:
      return language;
    case 'record':
      return { ...language, generate: (request) => record(language, request, folder, redactionOf(env)) };
    case 'replay': {
      const { keyHash: _keyHash, ...own } = language;
      return { ...own, generate: (request) => replay(language.name, request, folder) };
    }
  }
}

async function record(
  language: LanguageModel,
  request: GenerationRequest,
  folder: string,
  redaction: Redactor,
): Promise<Generation> {
  const { lines, hash, toPlaceholders } = canonicalRequest(language.name, request);
  const streamed: string[] = [];
  const generation = await language.generate({
    ...request,
    onDelta(text) {
      streamed.push(text);
      request.onDelta(text);
    },
  });
  const kept = (text: string): string => redaction.redact(toPlaceholders(text));
  openCassetteFolder(folder).save(hash, {
    model: language.name,
    request: lines.map((line) => redaction.redact(line)),
    streamed: kept(streamed.join('')),
    pieces: streamed.map(({ length }) => length),
    answer: kept(JSON.stringify(generation)),
  });
  return generation;
}

async function replay(name: string, request: GenerationRequest, folder: string): Promise<Generation> {
  const { lines, hash, toValues } = canonicalRequest(name, request);
  const recordings = openCassetteFolder(folder);
  const recording = recordings.find(hash);
  if (recording === undefined) {
    const message = `There is no recording of this question to ${name} (${hash}.json). ${describeNearest(lines, recordings.all())}`;
    throw new ProviderError('no-recording', message);
  }
  for (const piece of inPieces(toValues(recording.streamed), recording.pieces)) {
    request.signal.throwIfAborted();
    request.onDelta(piece);
    // Each on a turn of its own, as they came over the wire.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return AnswerSchema.parse(JSON.parse(toValues(recording.answer))) as unknown as Generation;
}

/** As long as they were; the values of this run may be longer or shorter, which the last piece makes good. */
function inPieces(text: string, sizes: readonly number[]): string[] {
  let at = 0;
  const pieces = sizes.map((size, index) => {
    const from = at;
    at = index === sizes.length - 1 ? text.length : at + size;
    return text.slice(from, at);
  });
  return pieces.filter((piece) => piece !== '');
}

/** Nothing of a question should hold a secret; a file that is passed on is looked through once more. */
function redactionOf(env: NodeJS.ProcessEnv): Redactor {
  const redaction = new Redactor();
  for (const [name, value = ''] of Object.entries(env))
    if (SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET) redaction.add(value);
  return redaction;
}
