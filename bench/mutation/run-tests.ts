import { join } from 'node:path';
import { runCLI } from 'jest';

/** Runs these files under `root` in this process, without a word; resolves to what failed, and to why where none ran. */
export async function failuresOf(root: string, tests: readonly string[]): Promise<string[]> {
  const config = {
    rootDir: root,
    testEnvironment: 'node',
    transform: { '^.+\\.ts$': '@swc/jest' },
    testMatch: tests.map((test) => join(root, 'test', `${test}.test.ts`)),
    cacheDirectory: join(root, '.cache'),
  };
  // Without `bail`: jest would end the whole process at the first failure.
  const quiet = { reporters: [], silent: true };
  const options = { config: JSON.stringify(config), runInBand: true, watchman: false, ...quiet, _: [], $0: '' };
  const { results } = await runCLI(options as never, [root]);
  if (results.testResults.length !== tests.length)
    return [`${results.testResults.length} of ${tests.length} files ran`];
  return results.testResults.flatMap(({ testExecError, testResults, testFilePath }) => [
    ...(testExecError === undefined ? [] : [`${testFilePath}: ${testExecError.message}`]),
    ...testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ]);
}
