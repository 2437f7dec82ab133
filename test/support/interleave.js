// The order of test files: those that run whole stacks between those that do not. Side by side, whole stacks would fight
// for the processor at the beginning, and leave it half idle at the end.
const { default: Sequencer } = require('@jest/test-sequencer');

const runsWholeStack = ({ path }) => /[\\/]test[\\/]e2e[\\/]/.test(path);

/**
 * The last whole stack begins so early that others run beside it to the end. Of those others the second half, the
 * shortest, takes moments.
 */
const WHOLE_STACKS_WITHIN = 0.5;

/** In a fresh clone jest takes the largest files for the longest. These are longer than their size says. */
const LONG_AND_SMALL = /[\\/]e2e[\\/](chaos|unknown-outcome|control|kill|limits)\.test\.ts$/;

/** Both keep their order; each is spread evenly, the first over a part of the whole. */
function spread(some, others) {
  const placed = (tests, part) => tests.map((test, index) => ({ test, place: (index / tests.length) * part }));
  return [...placed(some, WHOLE_STACKS_WITHIN), ...placed(others, 1)]
    .sort((one, other) => one.place - other.place)
    .map(({ test }) => test);
}

module.exports = class Interleave extends Sequencer {
  sort(tests) {
    const longestFirst = super.sort(tests);
    const wholeStacks = longestFirst.filter(runsWholeStack);
    return spread(
      [
        ...wholeStacks.filter(({ path }) => LONG_AND_SMALL.test(path)),
        ...wholeStacks.filter(({ path }) => !LONG_AND_SMALL.test(path)),
      ],
      longestFirst.filter((test) => !runsWholeStack(test)),
    );
  }
};
