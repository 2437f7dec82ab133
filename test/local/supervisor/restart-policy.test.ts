import { decideRestart, type ChildExit } from '../../../cli/stack/supervisor/restart-policy';

function deaths(lives: readonly number[]): ChildExit[] {
  return lives.map((workedMs) => ({ workedMs }));
}

const delaysOf = (lives: readonly number[]) =>
  lives.map((_, index) => {
    const decision = decideRestart(deaths(lives.slice(0, index + 1)), { wasEverReady: true });
    return decision.kind === 'restart' ? decision.delayMs : decision.kind;
  });

test('a child that keeps dying restarts after 100 ms, and each time after twice as long, up to 5 s', () => {
  expect(delaysOf(Array(9).fill(50))).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
});

test('a child that worked for 3 s begins at 100 ms again', () => {
  expect(delaysOf([50, 50, 50, 3000, 50])).toEqual([100, 200, 400, 100, 200]);
});

test('a child that works between its exits is never given up, however often it is killed', () => {
  expect(new Set(delaysOf(Array(40).fill(3000)))).toEqual(new Set([100]));
});

test('a child that was ready once is restarted however often it dies: a dependency may be down', () => {
  expect(delaysOf(Array(40).fill(50)).at(-1)).toBe(5000);
});

test('a child that was never ready is given up at its fourth exit', () => {
  expect(decideRestart(deaths([50, 50, 50]), { wasEverReady: false }).kind).toBe('restart');
  expect(decideRestart(deaths([50, 50, 50, 50]), { wasEverReady: false }).kind).toBe('give-up');
});

/** Exits before it was ready, each with these last words. */
function unready(...lastWords: (string | undefined)[]): ChildExit[] {
  return lastWords.map((words) => ({ workedMs: 0, lastWords: words }));
}
const independent = { wasEverReady: true, isIndependent: true };
const words = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `12:00:0${index} [${4000 + index}] file is not a database (26)`);

test('a server that needs no other is given up when it ends eight times in a row with the same last words', () => {
  expect(decideRestart(unready(...words(7)), independent).kind).toBe('restart');
  expect(decideRestart(unready(...words(8)), independent).kind).toBe('give-up');
  expect(decideRestart([{ workedMs: 90_000 }, ...unready(...words(8))], independent).kind).toBe('give-up');
});

test('a server is not given up when it is killed, was ready in between, or has different reasons', () => {
  const killed = unready(...words(4), undefined, ...words(3));
  const ready = [...unready(...words(4)), { workedMs: 100, lastWords: words(1)[0] }, ...unready(...words(3))];
  const different = unready(...words(4), 'address already in use', ...words(3));
  for (const exits of [killed, ready, different]) expect(decideRestart(exits, independent).kind).toBe('restart');
  expect(decideRestart(unready(...words(40)), { wasEverReady: true }).kind).toBe('restart');
});
