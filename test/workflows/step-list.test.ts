import { aPlan } from '../support/builders';
import { StepList } from '../../workflows/sessions/step-list';

const stepsOf = (...instructions: string[]) => aPlan({ steps: instructions }).steps;
const started = (...instructions: string[]): StepList =>
  new StepList({ finished: [], remaining: stepsOf(...instructions), completedDurations: [] });
const toStore = (list: StepList) => {
  const { firstIndex, steps } = list.toStore;
  return [firstIndex, steps.map(({ instruction }) => instruction)];
};

test('added steps are to be stored until an addition that has them was stored, in whatever order', () => {
  const list = started('a');
  expect(toStore(list)).toEqual([1, []]);
  list.add(stepsOf('b'));
  const first = list.toStore;
  list.add(stepsOf('c'));
  const second = list.toStore;
  expect(toStore(list)).toEqual([1, ['b', 'c']]);
  list.stored(second);
  list.stored(first);
  expect(toStore(list)).toEqual([3, []]);
});

test('a step that has ended before it was stored is still to be stored', () => {
  const list = started('a');
  list.add(stepsOf('b'));
  list.advance();
  list.advance();
  expect(list.index).toBe(2);
  expect(toStore(list)).toEqual([1, ['b']]);
});

test('a finished step leaves its instruction, cut where there is a limit, to the next run', () => {
  const list = started('a long one', 'b');
  list.completed(40);
  list.advance(6);
  const next = new StepList(list.toContinued());
  expect([next.index, next.total, next.current.instruction]).toEqual([1, 2, 'b']);
  expect(next.instructions).toEqual(['a long', 'b']);
  expect(next.completedDurations).toEqual([40]);
});
