// `npm run conformance`: writes docs/conformance.md and .json from the results of the tests. With files of
// `jest --json --outputFile` as arguments it reads those, the later ones over the earlier; without, it runs all tests first.
// `--ids <contracts.md>` writes the list of ids instead.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { contractLinesOf, type ContractLine } from './contract-ids';
import { toMarkdown } from './markdown';
import { isFailing, isMissing, reportOf, type Report, type TestOutcome } from './report';
import { readOutcomes } from './results';
import { WITHOUT_BEHAVIOUR } from './without-behaviour';

// This file runs from dist/scripts/conformance.
const ROOT = dirname(dirname(dirname(__dirname)));
const IDS = join(ROOT, 'test', 'conformance', 'contract-ids.json');

function runAllTests(): TestOutcome[] {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-conformance-'));
  const results = join(folder, 'results.json');
  try {
    const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules' };
    spawnSync('jest', ['--config', 'scripts/jest.config.cjs', '--json', `--outputFile=${results}`], {
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

function printSummary({ lines, unknown, contradictions, tests, files }: Report): void {
  console.log(`${tests} tests in ${files} files, ${lines.length} lines of the contracts`);
  for (const section of ['S0', 'S1', 'S2', 'S3', 'X']) {
    const missing = lines.filter((line) => line.id.startsWith(`${section}.`) && isMissing(line));
    console.log(`${section}: ${missing.length} missing ${missing.map(({ id }) => id).join(' ')}`.trimEnd());
  }
  for (const { id, shape, behaviour } of lines.filter(isFailing)) {
    const { proofs } = shape.state === 'failing' ? shape : behaviour;
    console.log(`${id} fails: ${proofs[0]?.title}`);
  }
  for (const { id, file, title } of unknown) console.log(`There is no ${id} in the contracts (${file}: ${title})`);
  for (const contradiction of contradictions) console.log(contradiction);
}

function main([first, ...rest]: readonly string[]): void {
  if (first === '--ids' && rest[0] !== undefined) return writeIds(rest[0]);
  const outcomes = first === undefined ? runAllTests() : readOutcomes([first, ...rest], ROOT);
  const ids = JSON.parse(readFileSync(IDS, 'utf8')) as ContractLine[];
  const report = reportOf(ids, outcomes, WITHOUT_BEHAVIOUR);
  writeFileSync(join(ROOT, 'docs', 'conformance.md'), toMarkdown(report));
  writeFileSync(
    join(ROOT, 'docs', 'conformance.json'),
    `[\n${report.lines.map((line) => JSON.stringify(line)).join(',\n')}\n]\n`,
  );
  printSummary(report);
  const isBad = report.unknown.length > 0 || report.contradictions.length > 0 || report.lines.some(isFailing);
  process.exitCode = isBad ? 1 : 0;
}

main(process.argv.slice(2));
