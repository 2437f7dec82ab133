// `npm run mutate:contracts [words]`: makes each deliberate change, one at a time, in a copy of the project,
// and runs the fast tests that have to notice it, all in this process. Prints the score; exits with 1 when a change
// survives, or does not fit the source any more. With words only the changes whose file or text has them.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EVENT_MUTANTS } from './event-mutants';
import type { Mutant } from './mutant';
import { RULE_MUTANTS } from './rule-mutants';
import { failuresOf } from './run-tests';

// This file runs from dist/bench/mutation.
const ROOT = dirname(dirname(dirname(__dirname)));
const COPIED = ['contracts', 'workflows', 'store', 'activities', 'test', '.swcrc', 'package.json', 'tsconfig.json'];

type Verdict = { kind: 'killed'; by: string } | { kind: 'survived' } | { kind: 'misplaced'; places: number };

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'surefoot-mutants-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, '.cache'));
  return copy;
}

async function judge(copy: string, { file, from, to, tests }: Mutant): Promise<Verdict> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const places = source.split(from).length - 1;
  if (places !== 1) return { kind: 'misplaced', places };
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    for (const test of tests) if ((await failuresOf(copy, [test])).length > 0) return { kind: 'killed', by: test };
    return { kind: 'survived' };
  } finally {
    writeFileSync(path, source);
  }
}

function told({ what, file }: Mutant, verdict: Verdict): string {
  if (verdict.kind === 'killed') return `killed    ${what} (${file}) by ${verdict.by}`;
  if (verdict.kind === 'survived') return `SURVIVED  ${what} (${file})`;
  return `MISPLACED ${what}: its text stands ${verdict.places} times in ${file}, expected once`;
}

async function main(words: string): Promise<number> {
  const startedAt = performance.now();
  const mutants = [...EVENT_MUTANTS, ...RULE_MUTANTS].filter(({ what, file }) => `${file} ${what}`.includes(words));
  const copy = copyProject();
  try {
    // A test that fails without a change would kill every mutant.
    const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
    const failures = await failuresOf(copy, tests);
    if (failures.length > 0) {
      console.error(`The tests fail without any change; first make them pass:\n${failures.join('\n')}`);
      return 1;
    }
    let killed = 0;
    for (const mutant of mutants) {
      const verdict = await judge(copy, mutant);
      if (verdict.kind === 'killed') killed += 1;
      console.log(told(mutant, verdict));
    }
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${killed} of ${mutants.length} changes are noticed, in ${seconds} s`);
    return killed === mutants.length ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2).join(' ')).then((code) => process.exit(code));
