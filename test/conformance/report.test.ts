import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { contractLinesOf, type ContractLine } from '../../scripts/conformance/contract-ids';
import { toMarkdown } from '../../scripts/conformance/markdown';
import { idsIn, isMissing, reportOf, type TestOutcome } from '../../scripts/conformance/report';
import { WITHOUT_BEHAVIOUR } from '../../scripts/conformance/without-behaviour';

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
const linesOf = (...outcomes: TestOutcome[]) => reportOf(lines, outcomes).lines;
const shapesOf = (...outcomes: TestOutcome[]) => linesOf(...outcomes).map(({ shape }) => shape.state);
const behavioursOf = (...outcomes: TestOutcome[]) => linesOf(...outcomes).map(({ behaviour }) => behaviour.state);

test('the list of ids has every line that the contracts count, once', () => {
  const of = (section: string) =>
    IDS.filter(({ id, kind }) => id.startsWith(`${section}.`) && kind !== 'ambiguity').length;
  expect(['S0', 'S1', 'S2', 'S3'].map(of)).toEqual([52, 656, 264, 44]);
  expect(IDS.filter(({ kind }) => kind === 'ambiguity')).toHaveLength(90);
  expect(IDS.filter(({ id, kind }) => id.startsWith('S1.') && kind === 'declaration')).toHaveLength(67);
  expect(new Set(IDS.map(({ id }) => id)).size).toBe(IDS.length);
});

test('the list of ids is the one of the contracts, where these lie beside the project', () => {
  const ids = existsSync(SOURCE) ? contractLinesOf(readFileSync(SOURCE, 'utf8')) : IDS;
  expect(ids).toEqual(IDS);
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
  const proof = passed('test/a.test.ts', '[S1.R1] applies');
  expect(behavioursOf()).toEqual(['none', 'none', 'none', 'none']);
  expect(behavioursOf(proof)[3]).toBe('proven');
  expect(behavioursOf({ ...proof, status: 'other' })[3]).toBe('none');
  expect(behavioursOf(proof, { ...proof, title: '[S1.R1] applies twice', status: 'failed' })[3]).toBe('failing');
});

test('tests of types and sources prove shape alone, all others behaviour alone', () => {
  for (const folder of ['conformance', 'architecture']) {
    const proof = passed(`test/${folder}/a.test.ts`, '[S1.R1] compares it');
    expect([shapesOf(proof)[3], behavioursOf(proof)[3]]).toEqual(['proven', 'none']);
  }
  const proof = passed('test/api/a.test.ts', '[S1.1] answers it');
  expect([shapesOf(proof)[0], behavioursOf(proof)[0]]).toEqual(['none', 'proven']);
});

test('the shape of a declaration is that of its members, its behaviour is not; namesakes share neither', () => {
  const shape = passed('test/conformance/a.test.ts', '[S1.1] compares it');
  expect(shapesOf(shape)).toEqual(['proven', 'proven', 'none', 'none']);
  expect(behavioursOf(passed('test/api/a.test.ts', '[S1.1] answers it'))).toEqual(['proven', 'none', 'none', 'none']);
  const ofMember = passed('test/conformance/a.test.ts', '[S1.1.1] compares one member');
  expect(shapesOf(ofMember).slice(0, 2)).toEqual(['none', 'proven']);
});

test('a declaration without shape, or a rule without behaviour, is missing unless the list says why', () => {
  const missingOf = (outcomes: TestOutcome[], ids: string[] = []) =>
    reportOf(lines, outcomes, [{ ids, reason: 'nobody needs it' }])
      .lines.filter(isMissing)
      .map(({ id }) => id);
  const shapes = ['[S1.1] a', '[S1.10] b', '[S1.R1] c'].map((title) => passed('test/conformance/a.test.ts', title));
  expect(missingOf([])).toEqual(['S1.1', 'S1.1.1', 'S1.10', 'S1.R1']);
  expect(missingOf(shapes)).toEqual(['S1.R1']);
  expect(missingOf(shapes, ['S1.R1'])).toEqual([]);
  expect(missingOf([], ['S1.1.1'])).toContain('S1.1.1');
});

test('the list of lines without behaviour contradicts neither the contracts nor a test', () => {
  const without = [{ ids: ['S1.R1', 'S1.R7'], reason: 'nobody needs it' }];
  expect(reportOf(lines, [passed('test/api/a.test.ts', '[S1.R1] applies')], without).contradictions).toEqual([
    'S1.R7 is listed without behaviour and unknown',
    'S1.R1 is listed without behaviour and proven: [S1.R1] applies',
  ]);
  const known = new Set(IDS.map(({ id }) => id));
  const listed = WITHOUT_BEHAVIOUR.flatMap(({ ids }) => ids);
  expect(listed.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

test('the page counts what is proven, and lists what is not, or has failed, with the reason', () => {
  const outcomes: TestOutcome[] = [
    passed('test/conformance/a.test.ts', '[S1.1] compares A'),
    { ...passed('test/api/a.test.ts', '[S1.R1] applies | to all'), status: 'failed' },
  ];
  const page = toMarkdown(reportOf(lines, outcomes, [{ ids: ['S1.1.1'], reason: 'a is never set' }]));
  expect(page.split('\n').filter((line) => /^- (?:\*\*)?S1/.test(line))).toEqual([
    '- **S1**: shape 2 of 3, rules 0 of 1, none here 1, missing 1',
    '- S1.1.1 `a`: a is never set',
    '- S1.10 `interface B`: shape **missing**',
    '- S1.R1 `a rule`: behaviour **failing**: test/api/a.test.ts: [S1.R1] applies | to all',
  ]);
});

test('an id that the contracts do not have is reported', () => {
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
