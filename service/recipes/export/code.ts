import { printable } from '../../../contracts/printable';

/** A piece of TypeScript. Only the functions of this file make one, so a text never becomes code by being put into some. */
export class Code {
  constructor(readonly source: string) {}
}

type Value = Code | string | number | boolean | readonly Value[];

/** Makes code of a template: code goes in as it is, and every other value as a literal of it. */
export function code(template: TemplateStringsArray, ...values: readonly Value[]): Code {
  return new Code(template.map((text, at) => (at === 0 ? text : sourceOf(values[at - 1]!) + text)).join(''));
}

/** Code of this file's own writing, such as a helper. */
export function ownCode(source: string): Code {
  return new Code(source);
}

export function joined(pieces: readonly Code[], separator = ''): Code {
  return new Code(pieces.map(({ source }) => source).join(separator));
}

export function indented(lines: readonly Code[]): Code[] {
  return lines.map(({ source }) => new Code(source === '' ? '' : `  ${source}`));
}

/** A comment to the end of its line. */
export function comment(text: string): Code {
  return new Code(`// ${printable(text).replace(/\s+/g, ' ')}`);
}

/** A regular expression of this source, with texts in it escaped by `escapedForPattern`. */
export function regularExpression(source: string, flags: '' | 'i'): Code {
  // Without a source it would be the beginning of a comment.
  return new Code(`/${source === '' ? '(?:)' : escapedLines(source)}/${flags}`);
}

/** A template literal: plain texts, and code whose value goes in. */
export function template(pieces: readonly (string | Code)[]): Code {
  const inner = pieces.map((piece) => {
    if (piece instanceof Code) return `\${${piece.source}}`;
    return escapedText(piece).replaceAll('`', '\\`').replaceAll('$', '\\$');
  });
  return new Code(`\`${inner.join('')}\``);
}

/** A name as code; throws where it would be anything else. */
export function identifier(name: string): Code {
  if (!isIdentifier(name)) throw new Error(`Expected a name that can be an identifier, got ${JSON.stringify(name)}.`);
  return new Code(name);
}

/** Whether it has letters, digits and `_` alone, and is no member of every object. */
export function isIdentifier(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) && !(name in {});
}

function sourceOf(value: Value): string {
  if (value instanceof Code) return value.source;
  if (typeof value === 'string') return `'${escapedText(value).replaceAll("'", "\\'")}'`;
  if (typeof value === 'object') return `[${value.map(sourceOf).join(', ')}]`;
  return JSON.stringify(value);
}

/** A text within any quotes, but for the quotes themselves: what an editor would hide or reorder is an escape as well. */
function escapedText(text: string): string {
  return printable(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"'));
}

/** A line terminator ends a regular expression in the middle. */
function escapedLines(source: string): string {
  return printable(source).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
