import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { JsonSchema } from '../../contracts/results/result-request';
import { compiledFolder } from '../compiled-folder';
import { schemaBounds, valueBounds } from './bounds';
import type * as checkThread from './check-thread';
import type { Check, CheckAnswer } from './check-thread';
import type { Draft } from './compile';
import type { SchemaProblem } from './schema-problem';

/** A check takes a few milliseconds; one that takes so long would take for ever. */
const TICK_MS = 250;
const MOST_TICKS = 8;
const MOST_THREADS = 2;
const IDLE_MS = 60_000;

/** A value could not be checked within the limits; the message says so and what to do. */
export class CheckRefused extends Error {}

/** The schema can't be compiled; the message says why. */
export class SchemaUnusable extends Error {}

/** What keeps a JSON schema from describing a result; empty where nothing does. Throws CheckRefused. */
export async function resultSchemaProblems(schema: JsonSchema): Promise<SchemaProblem[]> {
  return await schemaProblems({ kind: 'result-schema', schema });
}

/** What of the schema of a tool's arguments can't be checked safely: its size, or a pattern. Throws CheckRefused. */
export async function toolSchemaProblems(schema: JsonSchema): Promise<SchemaProblem[]> {
  return await schemaProblems({ kind: 'tool-schema', schema });
}

/** What of a value does not fit a schema; empty where all does. Throws CheckRefused and SchemaUnusable. */
export async function checkValue(schema: JsonSchema, value: unknown, draft: Draft): Promise<SchemaProblem[]> {
  const over = schemaBounds(schema);
  if (over !== undefined) throw new SchemaUnusable(over.message);
  const tooLarge = valueBounds(value);
  if (tooLarge !== undefined) return [tooLarge];
  const answer = await run({ kind: 'value', schema, value, draft });
  if (answer.kind === 'unusable') throw new SchemaUnusable(answer.message);
  return answer.problems;
}

async function schemaProblems(asked: Exclude<Check, { kind: 'value' }>): Promise<SchemaProblem[]> {
  const over = schemaBounds(asked.schema);
  if (over !== undefined) return [over];
  const answer = await run(asked);
  return answer.kind === 'unusable' ? [{ path: [], message: answer.message }] : answer.problems;
}

let pool: Piscina<Parameters<typeof checkThread.answerCheck>[0], CheckAnswer> | undefined;

/** Made when it is first needed. Its threads do not keep the process alive. */
function threads(): NonNullable<typeof pool> {
  pool ??= new Piscina({
    filename: join(compiledFolder(), 'runtime', 'schemas', 'check-thread.js'),
    name: 'answerCheck' satisfies keyof typeof checkThread,
    minThreads: 0,
    maxThreads: MOST_THREADS,
    idleTimeout: IDLE_MS,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
  return pool;
}

/**
 * Runs a check in a thread that is ended, and replaced, when it takes too long. Time is counted in ticks of this thread, so
 * that a process that was stopped for a while does not end a check that has just begun.
 */
async function run(asked: Check): Promise<CheckAnswer> {
  const started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const over = new AbortController();
  let ticks = 0;
  const timer = setInterval(() => {
    if (Atomics.load(started, 0) === 1) ticks += 1;
    if (ticks > MOST_TICKS) over.abort();
  }, TICK_MS);
  try {
    return await threads().run({ check: asked, started }, { signal: over.signal });
  } catch (error) {
    const what = asked.kind === 'value' ? 'The value' : 'The schema';
    if (over.signal.aborted)
      throw new CheckRefused(
        `${what} could not be checked within ${(TICK_MS * MOST_TICKS) / 1000} s; write a simpler schema, with fewer references, patterns and alternatives.`,
        { cause: error },
      );
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new CheckRefused(
        `${what} takes too much memory to be checked; write a simpler schema, with fewer references and alternatives.`,
        { cause: error },
      );
    throw error;
  } finally {
    clearInterval(timer);
  }
}
