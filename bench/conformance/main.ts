// `npm run conformance`: writes docs/conformance.md and .json from the results of the tests, and docs/errors.md from the
// error table. With files of `jest --json --outputFile` as arguments it reads those, the later ones over the earlier;
// without, it runs all tests first. `--ids <contracts.md>` writes the list of ids instead.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { contractLinesOf, type ContractLine } from './contract-ids';
import { errorDocs } from './error-docs';
import { toMarkdown } from './markdown';
import { reportOf, type Report, type TestOutcome } from './report';
import { readOutcomes } from './results';

// This file runs from dist/bench/conformance.
const ROOT = dirname(dirname(dirname(__dirname)));
const IDS = join(ROOT, 'test', 'conformance', 'contract-ids.json');

function runAllTests(): TestOutcome[] {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-conformance-'));
  const results = join(folder, 'results.json');
  try {
    const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' };
    spawnSync('jest', ['--json', `--outputFile=${results}`], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readOutcomes([results], ROOT);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeIds(contractsFile: string): void {
  const lines = contractLinesOf(readFileSync(contractsFile, 'utf8'));
  writeFileSync(IDS, `[\n${lines.map((line) => `  ${JSON.stringify(line)}`).join(',\n')}\n]\n`);
  console.log(`${lines.length} ids`);
}

function tell({ lines, unknown, tests, files }: Report): void {
  const count = (state: string): number => lines.filter((line) => line.state === state).length;
  console.log(`${tests} tests in ${files} files: ${count('proven')} of ${lines.length} lines are proven`);
  for (const section of ['S0', 'S1', 'S2', 'S3', 'X']) {
    const missing = lines.filter(({ id, state }) => id.startsWith(`${section}.`) && state === 'missing');
    console.log(`${section}: ${missing.length} missing`);
  }
  for (const { id, proofs } of lines.filter(({ state }) => state === 'failing'))
    console.log(`${id} fails: ${proofs[0]?.title}`);
  for (const { id, file, title } of unknown) console.log(`There is no ${id} in the contracts (${file}: ${title})`);
}

function main([first, ...rest]: readonly string[]): void {
  if (first === '--ids' && rest[0] !== undefined) return writeIds(rest[0]);
  writeFileSync(join(ROOT, 'docs', 'errors.md'), errorDocs());
  const outcomes = first === undefined ? runAllTests() : readOutcomes([first, ...rest], ROOT);
  const ids = JSON.parse(readFileSync(IDS, 'utf8')) as ContractLine[];
  const report = reportOf(ids, outcomes);
  writeFileSync(join(ROOT, 'docs', 'conformance.md'), toMarkdown(report));
  writeFileSync(
    join(ROOT, 'docs', 'conformance.json'),
    `[\n${report.lines.map((line) => JSON.stringify(line)).join(',\n')}\n]\n`,
  );
  tell(report);
  process.exitCode = report.unknown.length > 0 || report.lines.some(({ state }) => state === 'failing') ? 1 : 0;
}

main(process.argv.slice(2));
