import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';
import type { TestOutcome } from './report';

/** The part of `jest --json --outputFile` that is read here. */
const ResultsSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Reads files of results; a test file that occurs in several counts as it ended in the last of them. */
export function readOutcomes(files: readonly string[], root: string): TestOutcome[] {
  const byTestFile = new Map<string, TestOutcome[]>();
  for (const file of files) {
    for (const { name, assertionResults } of ResultsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).testResults) {
      const testFile = relative(root, name);
      byTestFile.set(
        testFile,
        assertionResults.map(({ fullName, status }) => ({
          file: testFile,
          title: fullName,
          status: status === 'passed' || status === 'failed' ? status : 'other',
        })),
      );
    }
  }
  return [...byTestFile.values()].flat();
}
