import { join } from 'node:path';
import { parseEvalFile, readEvalFile } from '../../../cli/eval/read-eval-file';
import type { CliError } from '../../../cli/context/exit';

const EXAMPLES = join(__dirname, '..', '..', '..', 'examples', 'eval', 'cases.yaml');

function problemsOf(source: string): readonly string[] {
  try {
    parseEvalFile(source, 'jobs.yaml');
    return [];
  } catch (error) {
    return [(error as CliError).message, ...(error as CliError).details];
  }
}

test('the file that is shipped has thirty cases with a name and an expectation each', () => {
  expect(readEvalFile(EXAMPLES).cases).toHaveLength(30);
});

test('everything that is wrong is a sentence with its line in the file', () => {
  const problems = problemsOf(`repeats: 0
cases:
  - name: One
    steps: [Click it]
    task: Click it
    expect: { page: Expect "It" }
  - name: Two
    task: Do it
    expect:
      answer: /(/
      colour: blue
`);
  expect(problems).toEqual([
    'jobs.yaml is no evaluation, some things are wrong:',
    expect.stringMatching(/^ {2}line 1: repeats: .*>=1/),
    '  line 3: cases[0]: expected either `steps` or `task`',
    '  line 10: cases[1].expect.answer: the text between the slashes is no regular expression',
    '  line 11: cases[1].expect.colour: unknown field colour',
  ]);
});

test('a case that expects nothing is refused, because it would prove nothing', () => {
  const [, problem] = problemsOf('cases: [{ name: One, task: Do it, expect: {} }]');
  expect(problem).toContain('cases[0].expect: a case without an expectation proves nothing');
});

test('a file that is no YAML is refused with the line that breaks it', () => {
  expect(problemsOf('cases:\n  - name: "One\n')).toEqual([
    'jobs.yaml is no valid YAML:',
    expect.stringMatching(/^ {2}line [23]: /),
  ]);
});
