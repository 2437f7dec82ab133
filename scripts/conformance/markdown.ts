import { isFailing, isMissing, type Column, type Report, type ReportLine } from './report';

const SECTIONS = ['S0', 'S1', 'S2', 'S3', 'X'];

/** docs/conformance.md: for every id what the types say (shape) and what the product does (behaviour). */
export function toMarkdown(report: Report): string {
  const { lines, tests, files } = report;
  return [
    '# Conformance',
    '',
    `\`npm run conformance\` writes this page from the results of ${tests} tests in ${files} files. A test carries the ids that it proves in its title (\`git grep 'S1.R9' test\`); conformance.json lists all.`,
    '',
    '- **Shape**: a test in test/conformance compares the type with a literal of the contract, by the compiler, and its schema with samples. A declaration covers its members.',
    '- **Behaviour** (rules, ambiguities): a test that fails when the product stops doing it.',
    '- **none here**: the member is declared, and the product never gives it a meaning; the reason is below. **missing**: nothing proves the line.',
    '',
    'Lines that are proven:',
    '',
    ...SECTIONS.map((section) => summaryRow(section, linesOf(lines, section))),
    '',
    'The others:',
    '',
    ...exceptions(lines),
    '',
  ].join('\n');
}

function linesOf(lines: readonly ReportLine[], section: string): ReportLine[] {
  return lines.filter(({ id }) => id.startsWith(`${section}.`));
}

function summaryRow(section: string, lines: readonly ReportLine[]): string {
  const share = (column: 'shape' | 'behaviour', what: string, kinds: readonly string[]): string[] => {
    const part = lines.filter(({ kind }) => kinds.includes(kind));
    if (part.length === 0) return [];
    return [`${what} ${part.filter((line) => line[column].state === 'proven').length} of ${part.length}`];
  };
  const without = lines.filter(({ withoutBehaviour }) => withoutBehaviour !== undefined).length;
  return `- **${section}**: ${[
    ...share('shape', 'shape', ['declaration', 'member']),
    ...share('behaviour', 'rules', ['rule']),
    ...share('behaviour', 'ambiguities', ['ambiguity']),
    `none here ${without}`,
    `missing ${lines.filter(isMissing).length}`,
  ].join(', ')}`;
}

/** Only the lines that no test proves whole, or whose test has failed. */
function exceptions(lines: readonly ReportLine[]): string[] {
  const rows = lines.filter((line) => line.withoutBehaviour !== undefined || isMissing(line) || isFailing(line));
  const texts = Map.groupBy(rows, (line) => [...shapeText(line), ...behaviourText(line)].join('; '));
  return [...texts].map(([text, of]) => `- ${of.map(heading).join(', ')}: ${text}`);
}

/** A member without its type, which contracts.md has. */
function heading({ id, kind, name }: ReportLine): string {
  const short = kind === 'member' ? /^(?:method )?[\w.]+/.exec(name)?.[0] : undefined;
  return `${id} \`${short ?? name}\``;
}

function shapeText({ kind, shape }: ReportLine): string[] {
  if (shape.state === 'failing') return [failure('shape', shape)];
  return shape.state === 'none' && (kind === 'declaration' || kind === 'member') ? ['shape **missing**'] : [];
}

function behaviourText({ kind, behaviour, withoutBehaviour }: ReportLine): string[] {
  if (behaviour.state === 'failing') return [failure('behaviour', behaviour)];
  if (behaviour.state === 'proven') return [];
  if (withoutBehaviour !== undefined) return [escaped(withoutBehaviour)];
  return kind === 'declaration' || kind === 'member' ? [] : ['behaviour **missing**'];
}

function failure(column: string, { proofs }: Column): string {
  return `${column} **failing**: ${proofs[0]!.file}: ${escaped(proofs[0]!.title)}`;
}

function escaped(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
