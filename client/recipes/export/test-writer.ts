import { escapedForPattern, inTemplate, literal, piecesOf, readablePattern, type Piece } from './code';
import type { HelperName } from './test-functions';

/** A recipe that has no form as a Playwright test. The message says which part of it, and what to do. */
export class NotExportable extends Error {}

/** Writes the pieces of one test, and notes what it uses: variables and helpers. */
export class TestWriter {
  readonly variables = new Set<string>();
  readonly helpers = new Set<HelperName>();
  /** By the beginning of an address: the variable that has it. */
  private readonly bases = new Map<string, string>();

  helper(name: HelperName): HelperName {
    this.helpers.add(name);
    return name;
  }

  variable(name: string): string {
    this.variables.add(name);
    return `variables.${name}`;
  }

  /** The value of a variable is the beginning of these addresses. */
  noteBase(name: string, base: string): void {
    this.bases.set(base, name);
  }

  /** A text, with the values of its variables. */
  text(text: string): string {
    const pieces = piecesOf(text);
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined && 'name' in only) return this.variable(only.name);
    if (pieces.every((piece) => 'text' in piece)) return literal(text);
    return `\`${pieces.map((piece) => this.piece(piece, inTemplate, (code) => code)).join('')}\``;
  }

  /** A pattern that finds a text on a page; with `hasNumbers`, `#` stands for any number. */
  pattern(text: string, { hasNumbers = false, matchCase = false } = {}): string {
    const source = (plain: string) =>
      hasNumbers ? plain.split('#').map(readablePattern).join('\\s*\\d+\\s*') : readablePattern(plain);
    const startsWithWord = /^\w/.test(text) ? '\\b' : '';
    return this.regularExpression(startsWithWord, piecesOf(text), source, '', matchCase ? '' : 'i');
  }

  /** A pattern of addresses: origin and shape of the path; query and fragment may be any. */
  address(pattern: string): string {
    const [base, name] =
      [...this.bases].sort(([one], [other]) => other.length - one.length).find(([each]) => isBelow(pattern, each)) ??
      [];
    const rest = base === undefined ? pattern : pattern.slice(base.length);
    const pieces: Piece[] = [
      ...(name === undefined ? [] : [{ name }]),
      ...rest.split(/(?<=\/):([a-zA-Z_]\w*)(?=\/|$)/).map((part, position): Piece => {
        return position % 2 === 0 || part === 'number' || part === 'id'
          ? { text: position % 2 === 0 ? part : `:${part}` }
          : { name: part };
      }),
    ].filter((piece) => !('text' in piece) || piece.text !== '');
    const end = /^https?:/.test(pattern) ? '\\/?(?:[?#].*)?$' : '';
    return this.regularExpression('^', pieces, addressSource, end, '');
  }

  private regularExpression(
    begin: string,
    pieces: readonly Piece[],
    source: (text: string) => string,
    end: string,
    flags: string,
  ): string {
    if (pieces.every((piece) => 'text' in piece))
      return `/${begin}${pieces.map((piece) => ('text' in piece ? source(piece.text) : '')).join('')}${end}/${flags}`;
    const escaped = (code: string) => `${this.helper('escaped')}(${code})`;
    const inner = pieces.map((piece) => this.piece(piece, (text) => inTemplate(source(text)), escaped)).join('');
    return `new RegExp(\`${inTemplate(begin)}${inner}${inTemplate(end)}\`${flags === '' ? '' : `, ${literal(flags)}`})`;
  }

  private piece(piece: Piece, plain: (text: string) => string, value: (code: string) => string): string {
    return 'text' in piece ? plain(piece.text) : `\${${value(this.variable(piece.name))}}`;
  }
}

function isBelow(pattern: string, base: string): boolean {
  return pattern === base || pattern.startsWith(`${base}/`);
}

function addressSource(text: string): string {
  return text
    .split('/')
    .map((part) => {
      if (part === ':number') return '\\d+';
      return part === ':id' ? '[^/]+' : part.split('#').map(escapedForPattern).join('\\d+');
    })
    .join('\\/');
}
