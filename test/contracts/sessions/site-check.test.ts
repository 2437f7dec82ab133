import { parseStart } from '../../../contracts/sessions/start-request';
import { pauseMs, siteCheck, type Check } from '../../../contracts/sessions/site-check';
import { readLook, siteCheckIssues } from '../../../rules/planning/site-check';

const OPEN = 'Open ${shop}/orders';

/** The issues of a session whose second step has this check. */
function issuesOf(check: Check, more: object = {}): string[] {
  const steps = ['Open http://shop.test/', { instruction: 'Click "Pay"', check }];
  const parsed = parseStart({ steps, variables: { shop: 'http://shop.test', invoice: '4711' }, ...more });
  return parsed.kind === 'valid' ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

test('lines that open, wait and expect are taken, and the rules read each as a look', () => {
  const lines = [OPEN, 'Wait until "Orders" is shown', 'Expect "Orders"', 'Expect "${invoice}" in the first row'];
  expect(issuesOf(lines)).toEqual([]);
  expect(issuesOf({ steps: lines, before: true, looks: 2, within: '5m' })).toEqual([]);
  const kinds = lines.map((line) => readLook(line)).map((look) => (typeof look === 'string' ? look : look.kind));
  expect(kinds).toEqual(['open', 'wait', 'expect', 'expect-element']);
  // A check looks for the words of a count, as before; it counts no rows.
  expect(readLook('Expect that 3 orders are listed')).toMatchObject({ kind: 'expect', intent: { text: '3 orders' } });
});

test.each<[line: string, index: number, why: string]>([
  ['Click "Orders"', 1, 'it does nothing else, and this line would'],
  ['Open Orders', 0, '“Orders” is no address'],
  ['Expect "a", then click "b"', 1, 'one in each line'],
  ['Expect "a" and press Enter', 1, 'one in each line'],
  ['Save the total as total', 1, 'it does nothing else'],
  ['Expect no "4711"', 1, 'a page that shows nothing would prove'],
  ['Expect the total', 1, 'has the text in quotes'],
  ['Open ${shop}/other', 1, 'the last line of a check expects'],
  ['Expect "4711"', 0, 'its first line opens an address'],
])('“%s” as line %d of a check is refused', (line, index, why) => {
  const lines = index === 0 ? [line, 'Expect "4711"'] : [OPEN, line];
  expect(issuesOf(lines)).toEqual([expect.stringMatching(new RegExp(`^steps\\[1\\]\\.check\\[${index}\\]: `))]);
  expect(issuesOf(lines)[0]).toContain(why);
  expect(issuesOf({ steps: lines })[0]).toContain(`steps[1].check.steps[${index}]: `);
});

test('a secret, an empty variable, a browser of the caller and a step of several acts are refused', () => {
  const lines = [OPEN, 'Expect "${invoice}"'];
  expect(issuesOf(lines, { variables: { shop: 'http://shop.test', invoice: ' ' } })[0]).toContain('is empty');
  const secrets = { token: { value: 'abcdefgh', origins: ['http://shop.test'] } };
  expect(issuesOf([OPEN, 'Expect "${token}"'], { secrets })[0]).toContain('token is a secret');
  expect(issuesOf(lines, { config: { agent: { executor: 'client', clientQueue: 'ours' } } })[0]).toContain(
    'only a browser of the engine',
  );
  const check = siteCheck(lines);
  expect(siteCheckIssues([{ instruction: 'Type "a" into Note, then click "Pay"', check }])).toEqual([]);
  expect(siteCheckIssues([{ instruction: 'Click "Add", then click "Pay"', check }])[0]?.message).toContain('does 2');
});

test('the looks of a check are spread over its time, each wait twice as long as the one before', () => {
  const check = siteCheck([OPEN, 'Expect "4711"']);
  const pauses = [1, 2, 3].map((missed) => pauseMs(check, missed));
  expect(pauses.map((ms) => ms / pauses[0]!)).toEqual([1, 2, 4].map((times) => expect.closeTo(times, 2)));
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(check.withinMs, -1);
});
