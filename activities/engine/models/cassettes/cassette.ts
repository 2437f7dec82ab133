import { join } from 'node:path';
import { z } from 'zod';
import { Redactor } from '../../../secrets/redaction';
import type { Generation, GenerationRequest, LanguageModel } from '../../../../contracts/model-port/language-model';
import { ProviderError } from '../providers/provider-error';
import { describeNearest } from './difference';
import { openCassetteFolder } from './folder';
import { canonicalRequest } from './canonical-request';
import { SETTINGS } from '../../../../runtime/settings/definitions';
import { readSetting } from '../../../../runtime/settings/setting';

/** A recorded generation; members that were added since are not required. */
const AnswerSchema = z.looseObject({ text: z.string(), model: z.string() });

/** The names of environment variables whose values are redacted. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;
const SHORTEST_SECRET = 6;

/**
 * Records the calls of a model in files (SUREFOOT_MODEL_CASSETTE=record), or answers them from the files (replay) without
 * the vendor and its rate limit, delta by delta. Only complete answers are recorded, never failures.
 */
export function withCassette(language: LanguageModel, env: NodeJS.ProcessEnv): LanguageModel {
  const folder = readSetting(SETTINGS.modelCassetteFolder, env) ?? join(readSetting(SETTINGS.home, env), 'cassettes');
  switch (readSetting(SETTINGS.modelCassette, env)) {
    case undefined:
      return language;
    case 'record':
      return { ...language, generate: (request) => record(language, request, folder, redactionOf(env)) };
    case 'replay': {
      const { keyHash: _keyHash, ...withoutKey } = language;
      return { ...withoutKey, generate: (request) => replay(language.name, request, folder) };
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
  const toStored = (text: string): string => redaction.redact(toPlaceholders(text));
  openCassetteFolder(folder).save(hash, {
    model: language.name,
    request: lines.map((line) => redaction.redact(line)),
    streamed: toStored(streamed.join('')),
    pieces: streamed.map(({ length }) => length),
    answer: toStored(JSON.stringify(generation)),
  });
  return generation;
}

async function replay(name: string, request: GenerationRequest, folder: string): Promise<Generation> {
  const { lines, hash, toValues } = canonicalRequest(name, request);
  const recordings = openCassetteFolder(folder);
  const recording = recordings.find(hash);
  if (recording === undefined) {
    const message = `There is no recording of this request to ${name} (${hash}.json). ${describeNearest(lines, recordings.all())}`;
    throw new ProviderError('no-recording', message);
  }
  for (const piece of inPieces(toValues(recording.streamed), recording.pieces)) {
    request.signal.throwIfAborted();
    request.onDelta(piece);
    // Each in its own turn of the event loop, as from the network.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return AnswerSchema.parse(JSON.parse(toValues(recording.answer))) as unknown as Generation;
}

/** Cuts a text into the recorded lengths. The last piece takes the difference, as values of this run may be longer. */
function inPieces(text: string, sizes: readonly number[]): string[] {
  let at = 0;
  const pieces = sizes.map((size, index) => {
    const from = at;
    at = index === sizes.length - 1 ? text.length : at + size;
    return text.slice(from, at);
  });
  return pieces.filter((piece) => piece !== '');
}

/** Redacts secrets of the environment. A request should contain none; recordings are shared, so they are checked again. */
function redactionOf(env: NodeJS.ProcessEnv): Redactor {
  const redaction = new Redactor();
  for (const [name, value = ''] of Object.entries(env))
    if (SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET) redaction.add(value);
  return redaction;
}
