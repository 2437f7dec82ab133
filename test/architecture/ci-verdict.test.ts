/** What .ci/run says of a run of which some files ran once more, alone. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const VERDICT = join(ROOT, '.ci', 'verdict.js');

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'surefoot-verdict-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Jest's results of files, each with the tests that it has and whether they passed. */
function write(name: string, files: Record<string, Record<string, boolean>>): void {
  const testResults = Object.entries(files).map(([file, tests]) => ({
    name: join(ROOT, file),
    status: Object.values(tests).every(Boolean) && Object.keys(tests).length > 0 ? 'passed' : 'failed',
    assertionResults: Object.entries(tests).map(([fullName, passed]) => ({
      fullName,
      status: passed ? 'passed' : 'failed',
    })),
  }));
  const numTotalTests = testResults.flatMap(({ assertionResults }) => assertionResults).length;
  writeFileSync(join(folder, name), JSON.stringify({ testResults, numTotalTests, numPendingTests: 0 }));
}

function verdict(): { lines: string[]; status: number | null } {
  const { stdout, status } = spawnSync(process.execPath, [VERDICT, 'verdict', folder], { encoding: 'utf8' });
  return { lines: stdout.trim().split('\n'), status };
}

test('a run without a failure passes, and no file runs again', () => {
  write('all.json', { 'test/a.test.ts': { one: true, two: true } });
  expect(verdict()).toEqual({ lines: ['2 passed, 0 failed'], status: 0 });
  expect(execFileSync(process.execPath, [VERDICT, 'failed-files', folder], { encoding: 'utf8' })).toBe('');
});

test('a test that failed and passes alone is named as flaky, and the run passes', () => {
  write('all.json', { 'test/a.test.ts': { one: true, two: false } });
  expect(execFileSync(process.execPath, [VERDICT, 'failed-files', folder], { encoding: 'utf8' })).toBe(
    'test/a.test.ts\n',
  );
  write('again-a.json', { 'test/a.test.ts': { one: true, two: true } });
  expect(verdict()).toEqual({ lines: ['flaky: test/a.test.ts: two', '2 passed, 0 failed'], status: 0 });
});

test('a test that fails twice fails the run, and so does one that fails only when its file runs again', () => {
  write('all.json', { 'test/a.test.ts': { one: true, two: false } });
  write('again-a.json', { 'test/a.test.ts': { one: false, two: false } });
  expect(verdict()).toEqual({
    lines: ['failed: test/a.test.ts: two', 'failed: test/a.test.ts: one', '0 passed, 2 failed'],
    status: 1,
  });
});

test('a file that could not be run fails, and so does a run that wrote no results', () => {
  write('all.json', { 'test/a.test.ts': { one: true }, 'test/b.test.ts': {} });
  expect(verdict()).toMatchObject({ status: 1 });
  rmSync(join(folder, 'all.json'));
  expect(verdict()).toEqual({ lines: ['0 passed, 1 failed'], status: 1 });
});
