/**
 * JSON schemas as strangers would write them to stop a process: patterns, references, depth, names, sizes and numbers, by a
 * seeded generator. Each is answered, and the event loop of this process goes on meanwhile.
 */
import { extractBySchema } from '../../../activities/results/extract-by-schema';
import { setAt } from '../../../activities/results/members';
import { toPortableSchema } from '../../../activities/engine/models/portable-schema';
import type { JsonSchema } from '../../../contracts/results/result-request';
import { ATTACKS, NAMES, times, type Attack } from '../../support/hostile-schemas';
import { resultSchemaProblems, checkValue } from '../../../runtime/schemas/checks';

type Answer = { kind: 'valid' | 'invalid' | 'refused'; why: string };

async function answerTo({ schema, value }: Attack): Promise<Answer> {
  try {
    const wrong = await resultSchemaProblems(schema);
    if (wrong.length > 0) return { kind: 'refused', why: wrong[0]!.message };
    const problems = await checkValue(schema, value, '2020-12');
    return problems.length === 0 ? { kind: 'valid', why: '' } : { kind: 'invalid', why: problems[0]!.message };
  } catch (error) {
    return { kind: 'refused', why: (error as Error).message };
  }
}

test('over 200 hostile schemas are each answered, and a timer of this process ticks on all the while', async () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(200);
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  const wrong: unknown[] = [];
  const overran: number[] = [];
  const waiting = [...ATTACKS];
  const lane = async (): Promise<void> => {
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) {
      const before = ticks;
      const { kind, why } = await answerTo(attack);
      if (attack.expected !== undefined && attack.expected !== kind)
        wrong.push([attack.kind, attack.expected, kind, why, JSON.stringify(attack.schema).slice(0, 300)]);
      if (kind !== 'valid' && !/\w \w/.test(why)) wrong.push([attack.kind, 'a sentence', why]);
      if (why.includes('within 2 s')) overran.push(ticks - before);
    }
  };
  await Promise.all(times(4, lane));
  clearInterval(timer);
  expect(wrong).toEqual([]);
  // Chains of 2 to the power of 40 links ran out of time, in a thread: here the timer went on.
  expect(overran.length).toBeGreaterThanOrEqual(1);
  expect(overran.length).toBeLessThanOrEqual(20);
  expect(Math.min(...overran)).toBeGreaterThan(20);
  expect(await resultSchemaProblems({ type: 'object' })).toEqual([]);
}, 120_000);

test('what walks schemas on the main thread ends with each of them, and changes no prototype', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).length;
  for (const { schema } of ATTACKS) {
    if (nestsDeeplyIn(schema)) continue;
    expect(JSON.stringify(toPortableSchema(schema)).length).toBeLessThan(2_000_000);
    expect(walkProblem(() => extractBySchema(schema, [], { hasNulls: true }))).toMatch(/^$|more than 2000 values/);
  }
  for (const own of NAMES) {
    const holder: { value: unknown } = { value: {} };
    setAt(holder, [own, 'polluted'], 'yes');
    setAt(holder, [own, 0, own], 'yes');
    expect(Object.keys(holder.value as object)).toEqual([own]);
  }
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect((Object as unknown as { polluted?: string }).polluted).toBeUndefined();
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before);
});

function walkProblem(walk: () => void): string {
  try {
    walk();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Schemas that are too deep are refused before anything walks them. */
function nestsDeeplyIn(schema: JsonSchema): boolean {
  let depthSeen = 0;
  for (let at: unknown[] = [schema]; at.length > 0 && depthSeen < 200; depthSeen += 1)
    at = at.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  return depthSeen >= 200;
}
