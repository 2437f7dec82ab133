import { bytesOf } from '../../contracts/json';
import { aPlan } from '../support/builders';
import { StepList } from '../../workflows/state/step-list';

const stepsOf = (...instructions: string[]) => aPlan({ steps: instructions }).steps;
const started = (...instructions: string[]): StepList => StepList.of(stepsOf(...instructions));
const aTask = (weight: string, length: number) => aPlan({ steps: [{ task: weight.repeat(length) }] }).steps;

test('additions are stored one after the other, each at its place, also when a step of them has ended', async () => {
  const list = started('a');
  const first = Promise.withResolvers<void>();
  const stored: number[] = [];
  const add = (text: string, isReady: Promise<void> = Promise.resolve()) =>
    list.add(stepsOf(text), async (firstIndex) => {
      await isReady;
      stored.push(firstIndex);
    });
  const both = Promise.all([add('b', first.promise), add('c')]);
  list.advance();
  list.advance();
  expect([list.index, list.total]).toEqual([2, 3]);
  first.resolve();
  await both;
  expect(stored).toEqual([1, 2]);
});

test('a finished step leaves the beginning of its instruction to the next run, the newest if many', async () => {
  const list = started('x'.repeat(300));
  list.complete(40);
  list.advance();
  expect(list.shown.instructions).toEqual(['x'.repeat(200)]);
  for (let number = 2; number <= 150; number += 1) {
    await list.add(stepsOf(`step ${number}`), () => Promise.resolve());
    if (number < 150) list.advance();
  }
  const next = new StepList(list.toContinued());
  expect([next.index, next.total, next.current.instruction]).toEqual([149, 150, 'step 150']);
  expect(next.shown.firstIndex).toBe(49);
  expect(next.shown.instructions).toEqual([...Array(101).keys()].map((at) => `step ${50 + at}`));
  expect(next.completed).toEqual({ count: 1, durationMs: 40 });
});

test.each([
  ['one byte', 'a'],
  ['three bytes', '字'],
  ['four bytes', '😀'],
  ['six bytes in JSON', '\u0001'],
])('what a session hands to its next run is small, whatever its characters weigh: %s', async (_, character) => {
  const list = StepList.of([]);
  for (let step = 0; step < 100; step += 1)
    await list.add(aTask(character, character.length === 2 ? 4900 : 9900), () => Promise.resolve());
  expect(bytesOf(list.toContinued())).toBeLessThan(300_000);
  list.load(aTask(character, 4900)[0]!);
  expect(bytesOf(list.toContinued())).toBeLessThan(300_000);
});
