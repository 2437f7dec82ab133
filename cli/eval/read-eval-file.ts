import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import { issuesOf } from '../../contracts/errors/issues';
import { CliError } from '../context/exit';
import { oneLineOf } from '../context/failure';
import { EvalFileSchema, type EvalFile } from './eval-file';

/** Reads and checks the file. Throws a CliError that names the line of everything that is wrong. */
export function readEvalFile(path: string): EvalFile {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`${path} can't be read (${oneLineOf(error)}).`);
  }
  return parseEvalFile(source, path);
}

export function parseEvalFile(source: string, path: string): EvalFile {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const details = document.errors.map(({ message, pos }) => `  line ${lines.linePos(pos[0]).line}: ${message}`);
    throw new CliError(`${path} is no valid YAML:`, details);
  }
  const parsed = EvalFileSchema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  const details = issuesOf(parsed.error).map(
    ({ path: where, message }) =>
      `  line ${lineOf(document, where, lines)}: ${where === '' ? '' : `${where}: `}${message}`,
  );
  throw new CliError(
    `${path} is no evaluation, ${details.length === 1 ? 'one thing is' : 'some things are'} wrong:`,
    details,
  );
}

/** The line of a value, or of the nearest thing around it that the file has. */
function lineOf(document: Document, where: string, lines: LineCounter): number {
  const path = where.split(/[.[\]]+/).filter((name) => name !== '');
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
