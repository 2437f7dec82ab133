import { isFailing, isMissing, type Column, type Report, type ReportLine } from './report';

const SECTIONS = ['S0', 'S1', 'S2', 'S3', 'X'];

/** docs/conformance.md: for every id what the types say (shape) and what the product does (behaviour). */
export function toMarkdown(report: Report): string {
  const { lines, tests, files } = report;
  return [
    '# Conformance',
    '',
    `How many lines of the contracts are proven, and the ones that are not. \`npm run conformance\` writes this page from the results of ${tests} tests in ${files} files. A test carries the ids that it proves in its title, so \`git grep 'S1.R9' test\` finds what proves a line; conformance.json lists all.`,
    '',
    '- **Shape**: a test in test/conformance compares the type with a literal of the contract, by the compiler, and its schema with samples. A declaration covers its members. Rules that are about sources have a test in test/architecture.',
    '- **Behaviour**: a test that fails when the product stops doing it, through API, CLI, library, workflow or the function behind them. A declaration has behaviour of its own only where a test carries its id; the rules say the rest.',
    '- **none here**: the member is declared, and the product never gives it a meaning; the reason follows (scripts/conformance/without-behaviour.ts). **missing**: nothing proves the line.',
    '',
    '| section | shape of declarations and members | behaviour of rules | behaviour of ambiguities | none here | missing |',
    '| ------- | --------------------------------- | ------------------ | ------------------------ | --------- | ------- |',
    ...SECTIONS.map((section) => summaryRow(section, linesOf(lines, section))),
    '',
    ...exceptions(lines),
  ].join('\n');
}

function linesOf(lines: readonly ReportLine[], section: string): ReportLine[] {
  return lines.filter(({ id }) => id.startsWith(`${section}.`));
}

function summaryRow(section: string, lines: readonly ReportLine[]): string {
  const share = (column: 'shape' | 'behaviour', kinds: readonly string[]): string => {
    const part = lines.filter(({ kind }) => kinds.includes(kind));
    if (part.length === 0) return '–';
    return `${part.filter((line) => line[column].state === 'proven').length} of ${part.length}`;
  };
  const without = lines.filter(({ withoutBehaviour }) => withoutBehaviour !== undefined).length;
  const missing = lines.filter(isMissing).length;
  return `| ${section} | ${share('shape', ['declaration', 'member'])} | ${share('behaviour', ['rule'])} | ${share('behaviour', ['ambiguity'])} | ${without} | ${missing} |`;
}

/** Only the lines that no test proves whole, or whose test has failed. */
function exceptions(lines: readonly ReportLine[]): string[] {
  const rows = lines.filter((line) => line.withoutBehaviour !== undefined || isMissing(line) || isFailing(line));
  if (rows.length === 0) return [];
  return [
    '| id | what | shape | behaviour |',
    '| -- | ---- | ----- | --------- |',
    ...rows.map((line) => `| ${line.id} | ${escaped(line.name)} | ${shapeText(line)} | ${behaviourText(line)} |`),
    '',
  ];
}

function shapeText({ kind, shape }: ReportLine): string {
  if (shape.state !== 'none') return stateText(shape);
  return kind === 'declaration' || kind === 'member' ? '**missing**' : '';
}

function behaviourText(line: ReportLine): string {
  const { behaviour, withoutBehaviour } = line;
  if (behaviour.state !== 'none') return stateText(behaviour);
  if (withoutBehaviour !== undefined) return `none here: ${escaped(withoutBehaviour)}`;
  const isDeclared = line.kind === 'declaration' || line.kind === 'member';
  return isDeclared ? '' : '**missing**';
}

function stateText({ state, proofs }: Column): string {
  return state === 'failing' ? `**failing**: ${proofs[0]!.file}: ${escaped(proofs[0]!.title)}` : 'proven';
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
