import { decideRestart, type ChildExit } from '../../../local/supervisor/restart-policy';

function deaths(lives: readonly number[]): ChildExit[] {
  return lives.map((workedMs) => ({ workedMs }));
}

const delaysOf = (lives: readonly number[]) =>
  lives.map((_, index) => {
    const decision = decideRestart(deaths(lives.slice(0, index + 1)), true);
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

test('a child that was ready once is restarted however often it dies, because a dependency may be down for long', () => {
  expect(delaysOf(Array(40).fill(50)).at(-1)).toBe(5000);
});

test('a child that was never ready is given up at its fourth exit', () => {
  expect(decideRestart(deaths([50, 50, 50]), false).kind).toBe('restart');
  expect(decideRestart(deaths([50, 50, 50, 50]), false).kind).toBe('give-up');
});
