import { join } from 'node:path';
import type { EvalCase, EvalFile } from '../../cli/eval/eval-file';
import { readEvalFile } from '../../cli/eval/read-eval-file';
import { UsageError } from '../chaos/options';
import type { Options } from './options';

/** Where the cases and their pages lie, in the checkout. */
export const FOLDER = join('bench', 'small-models');

export interface Suite {
  name: 'decisions' | 'flows';
  file: EvalFile;
  cases: EvalCase[];
}

/** A case begins with the word of its kind. */
export function kindOf(name: string): string {
  return /^[a-z ]+(?=: )/.exec(name)?.[0] ?? 'other';
}

export function readSuites({ kinds, limit, isWanted }: Pick<Options, 'kinds' | 'limit' | 'isWanted'>): Suite[] {
  const all = (['decisions', 'flows'] as const).map((name): Suite => {
    const file = readEvalFile(join(FOLDER, `${name}.yaml`));
    return { name, file, cases: file.cases };
  });
  const known = new Set(all.flatMap(({ cases }) => cases.map(({ name }) => kindOf(name))));
  const unknown = kinds.find((kind) => !known.has(kind));
  if (unknown !== undefined)
    throw new UsageError(`There is no kind “${unknown}”; there are: ${[...known].join(', ')}.`);
  const suites = all
    .filter(({ name }) => isWanted[name])
    .map((suite) => {
      const own = suite.cases.filter(({ name }) => kinds.length === 0 || kinds.includes(kindOf(name)));
      const byKind = Map.groupBy(own, ({ name }) => kindOf(name));
      return { ...suite, cases: [...byKind.values()].flatMap((each) => each.slice(0, limit)) };
    })
    .filter(({ cases }) => cases.length > 0);
  if (suites.length === 0) throw new UsageError(`No such case is of the kind ${kinds.join(' or ')}.`);
  return suites;
}
