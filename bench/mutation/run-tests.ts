import { join } from 'node:path';
import { runCLI } from 'jest';

/** Runs these files under `root` in this process, without a word; false when one of them fails, or none is found. */
export async function runTests(root: string, tests: readonly string[]): Promise<boolean> {
  const config = {
    rootDir: root,
    testEnvironment: 'node',
    transform: { '^.+\\.ts$': '@swc/jest' },
    testMatch: tests.map((test) => join(root, 'test', `${test}.test.ts`)),
    cacheDirectory: join(root, '.cache'),
    reporters: [],
    bail: 1,
  };
  const options = { config: JSON.stringify(config), runInBand: true, watchman: false, silent: true, _: [], $0: '' };
  const { results } = await runCLI(options as never, [root]);
  return results.success && results.numTotalTests > 0;
}
