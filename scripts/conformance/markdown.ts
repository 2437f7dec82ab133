import { isFailing, isMissing, type Column, type Report, type ReportLine } from './report';

const SECTIONS = ['S0', 'S1', 'S2', 'S3', 'X'];

/** docs/conformance.md: for every id what the types say (shape) and what the product does (behaviour). */
export function toMarkdown(report: Report): string {
  const { lines, tests, files } = report;
  return [
    '# Conformance',
    '',
    `Every line of the contracts with the tests that prove it. \`npm run conformance\` writes this page from the results of ${tests} tests in ${files} files. A test carries the ids that it proves in its title.`,
    '',
    '- **Shape**: a test in test/conformance compares the type with a literal of the contract, by the compiler, and its schema with samples. A declaration covers its members. Rules that are about sources have a test in test/architecture.',
    '- **Behaviour**: a test that fails when the product stops doing it, through API, CLI, library, workflow or the function behind them. A declaration has behaviour of its own only where a test carries its id; the rules say the rest.',
    '- **none here**: the member is declared, and the product never gives it a meaning; the reason follows (scripts/conformance/without-behaviour.ts). **missing**: nothing proves the line.',
    '',
    '| section | shape of declarations and members | behaviour of rules | behaviour of ambiguities | none here | missing |',
    '| ------- | --------------------------------- | ------------------ | ------------------------ | --------- | ------- |',
    ...SECTIONS.map((section) => summaryRow(section, linesOf(lines, section))),
    '',
    ...SECTIONS.flatMap((section) => sectionText(section, linesOf(lines, section))),
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

/** Members share the shape of their declaration: they have a row only where there is more to say of them. */
function sectionText(section: string, lines: readonly ReportLine[]): string[] {
  return [
    `## ${section}`,
    '',
    '| id | what | shape | behaviour |',
    '| -- | ---- | ----- | --------- |',
    ...lines
      .filter(hasRow)
      .map((line) => `| ${line.id} | ${escaped(line.name)} | ${shapeText(line)} | ${behaviourText(line)} |`),
    '',
  ];
}

function hasRow(line: ReportLine): boolean {
  const hasOwnShape = line.shape.proofs.some(({ title }) => title.includes(line.id));
  const hasMore = line.behaviour.state !== 'none' || line.withoutBehaviour !== undefined;
  return line.kind !== 'member' || hasOwnShape || hasMore || isMissing(line) || isFailing(line);
}

function shapeText({ kind, shape }: ReportLine): string {
  if (shape.state !== 'none') return proofText(shape);
  return kind === 'declaration' || kind === 'member' ? '**missing**' : '';
}

function behaviourText(line: ReportLine): string {
  const { behaviour, withoutBehaviour } = line;
  if (behaviour.state !== 'none') return proofText(behaviour);
  if (withoutBehaviour !== undefined) return `none here: ${escaped(withoutBehaviour)}`;
  const isDeclared = line.kind === 'declaration' || line.kind === 'member';
  return isDeclared ? '' : '**missing**';
}

function proofText({ state, proofs }: Column): string {
  const [first, ...others] = proofs;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${state === 'failing' ? '**failing**: ' : ''}${first!.file}: ${escaped(first!.title)}${more}`;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
