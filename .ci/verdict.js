// Reads the results that .ci/run has jest write into a folder: all.json of the whole run, again-*.json of each file that ran once more.
const fs = require('node:fs');
const path = require('node:path');

const [command, folder] = process.argv.slice(2);
const root = path.join(__dirname, '..');

/** Undefined where jest died before it wrote its results. */
function read(name) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
  } catch {
    return undefined;
  }
}

const relative = (file) => path.relative(root, file);
/** A file that could not be loaded has no tests that failed, but a status. */
const filesThatFailed = (results) => results.testResults.filter(({ status }) => status === 'failed');
/** One line for each test that failed, one for a file that could not be loaded. */
function failures(results) {
  return filesThatFailed(results).flatMap(({ name, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return [`${relative(name)}: could not be run`];
    return failed.map(({ fullName }) => `${relative(name)}: ${fullName}`);
  });
}

const all = read('all.json');
if (command === 'failed-files') {
  for (const { name } of all === undefined ? [] : filesThatFailed(all)) console.log(relative(name));
} else if (all === undefined) {
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} else {
  const repeats = fs.readdirSync(folder).filter((name) => name.startsWith('again-'));
  const rerun = repeats.map(read).filter((results) => results !== undefined);
  const ranAgain = new Set(rerun.flatMap(({ testResults }) => testResults.map(({ name }) => relative(name))));
  const failedAgain = rerun.flatMap(failures);
  const failed = failures(all);
  const fileOf = (line) => line.slice(0, line.indexOf(': '));
  // A repetition that did not get to its end proves nothing.
  const flaky = failed.filter((line) => ranAgain.has(fileOf(line)) && !failedAgain.includes(line));
  const lost = [...new Set([...failed.filter((line) => !flaky.includes(line)), ...failedAgain])];
  for (const line of flaky) console.log(`flaky: ${line}`);
  for (const line of lost) console.log(`failed: ${line}`);
  console.log(`${all.numTotalTests - all.numPendingTests - lost.length} passed, ${lost.length} failed`);
  process.exitCode = lost.length === 0 && all.numTotalTests > 0 ? 0 : 1;
}
