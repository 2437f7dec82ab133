// The order of test files: those that run whole stacks between those that do not. Side by side, whole stacks would fight
// for the processor at the beginning, and leave it half idle at the end.
const { default: Sequencer } = require('@jest/test-sequencer');

const runsWholeStack = ({ path }) => /[\\/]test[\\/]e2e[\\/]/.test(path);

/** Both keep their order; each is spread evenly over the whole. */
function spread(some, others) {
  const placed = (tests) => tests.map((test, index) => ({ test, place: index / tests.length }));
  return [...placed(some), ...placed(others)].sort((one, other) => one.place - other.place).map(({ test }) => test);
}

module.exports = class Interleave extends Sequencer {
  sort(tests) {
    const longestFirst = super.sort(tests);
    return spread(
      longestFirst.filter(runsWholeStack),
      longestFirst.filter((test) => !runsWholeStack(test)),
    );
  }
};
