/** Which steps may run at once (S1.A25), and what is said of the first that may not. */
import { parseStart } from '../../../../../contracts/sessions/start-request';
import type { StepInput } from '../../../../../contracts/sessions/step-input';
import { dependentStepIssues } from '../../../../../rules/planning/independent-steps';

const GIVEN = { shop: 'https://shop.test', path: '/cart', total: '7', key: { env: 'KEY' } };

function issuesOf(steps: StepInput[], config: object = { parallelExecution: true }) {
  const parsed = parseStart({ steps, variables: GIVEN, config });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  return dependentStepIssues(parsed.plan).map(({ path, message }) => `${path}: ${message}`);
}

const FIRST = 'Open https://shop.test and save the text of the heading as title';

test.each<[string, StepInput]>([
  ['that opens an address', 'Open https://shop.test/a, click "Pay" and expect "Paid"'],
  ['that opens one of a variable', 'Go to ${shop}/a and click "Pay"'],
  ['in words of its own behind the address', 'Open https://shop.test/a and have a good look around for what we need'],
  ['with options', { instruction: 'Open https://shop.test/a', timeoutMs: 60_000 }],
  ['that is a task with a url', { task: 'Find the price', url: 'https://shop.test/a' }],
  ['that is a task which begins with an address', { task: 'Go to https://shop.test/a and find the price' }],
  ['that is an extraction with a url', { extract: 'all products with name', url: 'https://shop.test/a' }],
  ['that is a call', { tool: 'navigate', args: { url: 'https://shop.test/a' } }],
  ['that uses what it has saved itself', 'Open ${shop}, save the text of the heading as own and expect "${own}"'],
])('a step %s is independent', (_, step) => {
  expect(issuesOf([FIRST, step, step])).toEqual([]);
});

test.each<[string, StepInput, RegExp]>([
  ['acts on the page that is open', 'Click "Pay"', /^steps\[1\]: .* it begins on the page that is open/],
  ['opens another page later', 'Click "Pay" and open https://shop.test', /begins on the page/],
  ['opens an address only if something is shown', 'If "x" is shown, open https://shop.test', /begins on the page/],
  ['waits on the page that is open', 'Wait until "Shipped" is shown, for up to 2 days', /begins on the page/],
  ['opens a path', 'Open ${path}', /begins on the page/],
  ['opens what only the workers know', 'Open ${key}', /begins on the page/],
  ['is a task without an address', { task: 'Find the price' }, /begins on the page/],
  ['is another call', { tool: 'find', args: { query: 'Pay' } }, /begins on the page/],
  ['uses what an earlier one saves', 'Open ${shop} and type "${title}" into "Name"', /\$\{title\}, which step 1 saves/],
  ['pastes what an earlier one copies', 'Open ${shop} and paste it into "Name"', /copied_text\}, which is not given/],
  ['uses what nobody gives', 'Open ${shop}/${other}', /\$\{other\}, which is not given/],
])('a step that %s is refused', (_, step, message) => {
  expect(issuesOf([FIRST, step])).toEqual([expect.stringMatching(message)]);
});

test('a value that is given and saved anew counts as saved, and the first dependent step is named alone', () => {
  const saves = 'Open ${shop} and save the text of the heading as total';
  const uses = 'Open ${shop}/pay and expect "${total}"';
  expect(issuesOf([uses, saves])).toEqual([]);
  expect(issuesOf([saves, uses, 'Click "Pay"'])).toEqual([expect.stringMatching(/^steps\[1\]: .*which step 1 saves/)]);
});

test('steps one after the other may depend on each other', () => {
  expect(issuesOf(['Click "Pay"'], {})).toEqual([]);
});
