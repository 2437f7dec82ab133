import type { Report, ReportLine } from './report';

const SECTIONS = ['S0', 'S1', 'S2', 'S3', 'X'];

/** docs/conformance.md: for every id the tests that prove it, or `missing`. */
export function toMarkdown(report: Report): string {
  const { lines, tests, files } = report;
  return [
    '# Conformance',
    '',
    `Every line of the contracts with the test that proves it, written by \`npm run conformance\` from the results of ${tests} tests in ${files} files. A test carries the ids it proves in its title. A declaration is proved where its type is compared with an independent literal (test/conformance), and its members with it.`,
    '',
    '| section | declarations and members | rules | ambiguities | missing |',
    '| ------- | ------------------------ | ----- | ----------- | ------- |',
    ...SECTIONS.map((section) => summaryRow(section, linesOf(lines, section))),
    '',
    ...SECTIONS.flatMap((section) => sectionText(section, linesOf(lines, section))),
  ].join('\n');
}

function linesOf(lines: readonly ReportLine[], section: string): ReportLine[] {
  return lines.filter(({ id }) => id.startsWith(`${section}.`));
}

function summaryRow(section: string, lines: readonly ReportLine[]): string {
  const share = (part: readonly ReportLine[]): string =>
    part.length === 0 ? '–' : `${part.filter(({ state }) => state === 'proven').length} of ${part.length}`;
  const declared = lines.filter(({ kind }) => kind === 'declaration' || kind === 'member');
  const rules = lines.filter(({ kind }) => kind === 'rule');
  const ambiguities = lines.filter(({ kind }) => kind === 'ambiguity');
  const missing = lines.filter(({ state }) => state !== 'proven').length;
  return `| ${section} | ${share(declared)} | ${share(rules)} | ${share(ambiguities)} | ${missing} |`;
}

/** Members share the proof of their declaration: they are named only where they have one of their own, or none. */
function sectionText(section: string, lines: readonly ReportLine[]): string[] {
  const shown = lines.filter(
    (line) =>
      line.kind !== 'member' || line.state !== 'proven' || line.proofs.some(({ title }) => title.includes(line.id)),
  );
  return [
    `## ${section}`,
    '',
    '| id | what | proof |',
    '| -- | ---- | ----- |',
    ...shown.map((line) => `| ${line.id} | ${escaped(line.name)} | ${proofText(line)} |`),
    '',
  ];
}

function proofText({ state, proofs }: ReportLine): string {
  if (state === 'missing') return 'missing';
  const [first, ...others] = proofs;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${state === 'failing' ? '**failing**: ' : ''}${first!.file}: ${escaped(first!.title)}${more}`;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
