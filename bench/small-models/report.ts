import type { EvalRun } from '../../cli/eval/eval-result';
import { summarize } from '../../cli/eval/summary';
import { toTable } from '../../cli/terminal/table';
import { kindOf, type Suite } from './cases';

export interface LedRun extends EvalRun {
  suite: Suite['name'];
  /** Replies that the engine sent back. */
  invalid: number;
}

const HEADER = ['led by', 'cases', 'success', 'falsely COMPLETED', 'invalid replies', 'calls', 'tokens in and out'];

/** Renders for each model the decisions and flows by kind, and all of each. */
export function table(runs: readonly LedRun[]): string[] {
  const rows = [...Map.groupBy(runs, ({ model }) => model)].flatMap(([model, own]) =>
    [...Map.groupBy(own, ({ suite }) => suite)].flatMap(([suite, cases]) => [
      ...[...Map.groupBy(cases, (run) => kindOf(run.case))].map(([kind, group]) =>
        row(model, `${suite}: ${kind}`, group),
      ),
      row(model, suite, cases),
    ]),
  );
  return toTable(HEADER, rows);
}

function row(model: string, cases: string, runs: readonly LedRun[]): string[] {
  const { passed, falseSuccesses, calls, inputTokens, outputTokens } = summarize(runs)[0]!;
  const invalid = runs.reduce((sum, run) => sum + run.invalid, 0);
  const tokens = `${inputTokens} and ${outputTokens}`;
  return [model, cases, `${passed} of ${runs.length}`, `${falseSuccesses}`, `${invalid}`, `${calls}`, tokens];
}

/** Runs that a model reported as done, and that are not. */
export function falselyCompleted(runs: readonly LedRun[]): LedRun[] {
  return runs.filter((run) => summarize([run])[0]!.falseSuccesses > 0);
}
