import { code, type Code, ownCode, regularExpression, template } from './code';
import { addressPattern, piecesOf, readablePattern, type Piece } from './patterns';
import type { HelperName } from './test-functions';
import { VariableNames } from './variable-names';

/** A recipe that has no form as a Playwright test. The message says which part of it, and what to do. */
export class NotExportable extends Error {}

/** Writes the pieces of one test, and notes what it uses: variables and helpers. */
export class TestWriter {
  readonly variables = new Set<string>();
  readonly helpers = new Set<HelperName>();
  readonly names = new VariableNames();
  /** By the beginning of an address: the variable that has it. */
  private readonly bases = new Map<string, string>();

  helper(name: HelperName): Code {
    this.helpers.add(name);
    return ownCode(name);
  }

  variable(name: string): Code {
    this.variables.add(name);
    return code`variables.${this.names.identifier(name)}`;
  }

  /** The value of a variable is the beginning of these addresses. */
  noteBase(name: string, base: string): void {
    this.bases.set(base, name);
  }

  /** A text, with the values of its variables. */
  text(text: string): Code {
    const pieces = piecesOf(text);
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined && 'name' in only) return this.variable(only.name);
    if (pieces.every((piece) => 'text' in piece)) return code`${text}`;
    return template(pieces.map((piece) => ('text' in piece ? piece.text : this.variable(piece.name))));
  }

  texts(texts: readonly string[]): Code {
    return code`${texts.map((text) => this.text(text))}`;
  }

  /** A pattern that finds a text on a page; with `hasNumbers`, `#` stands for any number. */
  pattern(text: string, { hasNumbers = false, matchCase = false } = {}): Code {
    const source = (plain: string) =>
      hasNumbers ? plain.split('#').map(readablePattern).join('\\s*\\d+\\s*') : readablePattern(plain);
    const startsWithWord = /^\w/.test(text) ? '\\b' : '';
    return this.expression(startsWithWord, piecesOf(text), source, '', matchCase ? '' : 'i');
  }

  /** A pattern of addresses: origin and shape of the path; query and fragment may be any. */
  address(pattern: string): Code {
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
    return this.expression('^', pieces, addressPattern, end, '');
  }

  private expression(
    begin: string,
    pieces: readonly Piece[],
    source: (text: string) => string,
    end: string,
    flags: '' | 'i',
  ): Code {
    if (pieces.every((piece) => 'text' in piece))
      return regularExpression(`${begin}${pieces.map(({ text }) => source(text)).join('')}${end}`, flags);
    const inner = pieces.map((piece) =>
      'text' in piece ? source(piece.text) : code`${this.helper('escaped')}(${this.variable(piece.name)})`,
    );
    const whole = template([begin, ...inner, end]);
    return flags === '' ? code`new RegExp(${whole})` : code`new RegExp(${whole}, ${flags})`;
  }
}

function isBelow(pattern: string, base: string): boolean {
  return pattern === base || pattern.startsWith(`${base}/`);
}
