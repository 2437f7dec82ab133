import type { CorpusStep } from './corpus';
import type { StepRun } from './run-step';

export type State = Record<string, unknown>;

/**
 * `right`: done at the first try, or refused where it cannot be done. `proposed`: refused, and one of the steps that were
 * proposed instead is right. `misled`: refused, and none of them is. `refused`: refused although it can be done, without a
 * proposal. `false`: done by its own word, and not so. `wrong deed`: something else changed as well.
 */
export type Verdict = 'right' | 'proposed' | 'misled' | 'refused' | 'false' | 'wrong deed';

export interface Judged {
  corpus: string;
  step: CorpusStep;
  verdict: Verdict;
  run: StepRun;
  /** What differs from what is right. */
  differences: string[];
}

/** Compares what a step came to with what is right. A wrong deed counts before a false word about it. */
export function judge(step: CorpusStep, run: StepRun, before: State, after: State): Omit<Judged, 'corpus'> {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key] !== after[key] && !step.ignore.includes(key),
  );
  const isExpected = (key: string): boolean => Object.hasOwn(step.expect, key) && isOneOf(after[key], step.expect[key]);
  const wrong = changed.filter((key) => !(step.possible && isExpected(key)));
  const missing = step.possible ? Object.keys(step.expect).filter((key) => !isExpected(key)) : [];
  const unsaved = Object.keys(step.saved).filter(
    (name) => !isOneOf(run.saved[name], [step.saved[name]].flat().map(String)),
  );
  const differences = [
    ...[...new Set([...wrong, ...missing])].map(
      (key) => `${key}: ${String(before[key])} → ${String(after[key])}, right is ${JSON.stringify(step.expect[key])}`,
    ),
    ...unsaved.map((name) => `\${${name}} is “${run.saved[name]}”, right is ${JSON.stringify(step.saved[name])}`),
  ];
  return { step, run, differences, verdict: verdictOf(step, run, wrong.length > 0, differences.length > 0) };
}

function verdictOf(step: CorpusStep, run: StepRun, isWrong: boolean, isDifferent: boolean): Verdict {
  if (isWrong) return 'wrong deed';
  if (run.isDone) return step.possible && !isDifferent ? 'right' : 'false';
  if (!step.possible) return 'right';
  return proposalsIn(run.message).length > 0 ? 'misled' : 'refused';
}

/** The steps that a refusal proposes: “Did you mean: click "Save", or click "Send"?” */
export function proposalsIn(message: string): string[] {
  const [, proposed] = /Did you mean: (.+?)\?(?:\s|$)/s.exec(message) ?? [];
  return proposed === undefined ? [] : proposed.split(', or ');
}

function isOneOf(value: unknown, right: unknown): boolean {
  return Array.isArray(right) ? right.includes(value) : right === value;
}
