import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { contractLinesOf, type ContractLine } from '../../bench/conformance/contract-ids';
import { errorDocs } from '../../bench/conformance/error-docs';
import { idsIn, reportOf, type TestOutcome } from '../../bench/conformance/report';

const ROOT = join(__dirname, '..', '..');
const IDS = JSON.parse(readFileSync(join(__dirname, 'contract-ids.json'), 'utf8')) as ContractLine[];
const SOURCE = join(ROOT, '..', 'shared', 'contracts.md');

const lines: ContractLine[] = [
  { id: 'S1.1', kind: 'declaration', name: 'interface A' },
  { id: 'S1.1.1', kind: 'member', name: 'a: string' },
  { id: 'S1.10', kind: 'declaration', name: 'interface B' },
  { id: 'S1.R1', kind: 'rule', name: 'a rule' },
];
const passed = (file: string, title: string): TestOutcome => ({ file, title, status: 'passed' });
const statesOf = (...outcomes: TestOutcome[]) => reportOf(lines, outcomes).lines.map(({ state }) => state);

test('the list of ids has every line that the contracts count, once', () => {
  const of = (section: string) =>
    IDS.filter(({ id, kind }) => id.startsWith(`${section}.`) && kind !== 'ambiguity').length;
  expect(['S0', 'S1', 'S2', 'S3'].map(of)).toEqual([52, 656, 264, 44]);
  expect(IDS.filter(({ kind }) => kind === 'ambiguity')).toHaveLength(90);
  expect(IDS.filter(({ id, kind }) => id.startsWith('S1.') && kind === 'declaration')).toHaveLength(67);
  expect(new Set(IDS.map(({ id }) => id)).size).toBe(IDS.length);
});

test('the list of ids is the one of the contracts, where these lie beside the project', () => {
  const told = existsSync(SOURCE) ? contractLinesOf(readFileSync(SOURCE, 'utf8')) : IDS;
  expect(told).toEqual(IDS);
});

test('ids are read from checklist lines, ambiguities and nothing else', () => {
  const text = [
    '- [ ] S1.16 **enum** `CommandAction` — 5 members. Closed set.',
    "- [ ] S1.16.1 `OPEN_PAGE` = `'OPEN_PAGE'`.",
    '- [ ] S1.49 **const** `DEFAULTS` (type `TimeoutConfig`) — Default.',
    '- [ ] S1.R14 Timeout rule 1: `a >= b`.',
    '- **X.A1 Ambiguity — Two names.** Both. *Resolution:* One.',
    'See S1.A3 for more.',
  ].join('\n');
  expect(contractLinesOf(text)).toEqual([
    { id: 'S1.16', kind: 'declaration', name: 'enum CommandAction' },
    { id: 'S1.16.1', kind: 'member', name: "OPEN_PAGE = 'OPEN_PAGE'." },
    { id: 'S1.49', kind: 'declaration', name: 'const DEFAULTS' },
    { id: 'S1.R14', kind: 'rule', name: 'Timeout rule 1: a >= b.' },
    { id: 'X.A1', kind: 'ambiguity', name: 'Two names' },
  ]);
});

test('a title carries ids in brackets, one or several, and no id by the way', () => {
  expect(idsIn('[S1.R9, S1.A7] OPEN_PAGE takes {} as S1.17 says')).toEqual(['S1.R9', 'S1.A7']);
  expect(idsIn('answers S1.R1 ["a"]')).toEqual([]);
});

test('only a test that has passed proves, and one that has failed outweighs it', () => {
  const proof = passed('test/a.test.ts', '[S1.R1] holds');
  expect(statesOf()).toEqual(['missing', 'missing', 'missing', 'missing']);
  expect(statesOf(proof)[3]).toBe('proven');
  expect(statesOf({ ...proof, status: 'other' })[3]).toBe('missing');
  expect(statesOf(proof, { ...proof, title: '[S1.R1] holds twice', status: 'failed' })[3]).toBe('failing');
});

test('a declaration is proved among the proofs of declarations only, and its members with it, but not its namesakes', () => {
  expect(statesOf(passed('test/contracts/a.test.ts', '[S1.1] mentions it'))[0]).toBe('missing');
  expect(statesOf(passed('test/conformance/a.test.ts', '[S1.1] compares it'))).toEqual([
    'proven',
    'proven',
    'missing',
    'missing',
  ]);
  expect(statesOf(passed('test/conformance/a.test.ts', '[S1.1.1] compares one member')).slice(0, 2)).toEqual([
    'missing',
    'proven',
  ]);
});

test('an id that the contracts do not have is told', () => {
  const wrong = passed('test/a.test.ts', '[S1.R999] holds');
  expect(reportOf(lines, [wrong]).unknown).toEqual([{ id: 'S1.R999', file: wrong.file, title: wrong.title }]);
});

test('no title of a test carries an id that the contracts do not have', () => {
  const known = new Set(IDS.map(({ id }) => id));
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.test.ts') && !name.endsWith('report.test.ts'),
  );
  const wrong = files.flatMap((name) =>
    idsIn(readFileSync(join(ROOT, 'test', name), 'utf8'))
      .filter((id) => !known.has(id))
      .map((id) => `${id} in ${name}`),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

test('docs/errors.md is what the error table says now', () => {
  expect(readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8')).toBe(errorDocs());
});
