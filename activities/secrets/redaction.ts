import { SECRET_MARK } from '../../contracts/sessions/resources';

/** A shorter secret would match everywhere: it is redacted only where it is the whole text. */
const SHORTEST_INSIDE_TEXT = 4;
/** The most characters that one takes when escaped, even twice. */
const LONGEST_ESCAPE = 12;
/** So many base64 characters identify a secret. */
const SHORTEST_BASE64 = 5;

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const ESCAPES: Record<string, string> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

/**
 * Redacts known secrets in a text: plain, escaped as in URLs, forms, HTML and JSON, even twice, and in base64 at any
 * offset.
 */
export class Redactor {
  private readonly secrets = new Set<string>();
  private compiled: RegExp | undefined;

  get isEmpty(): boolean {
    return this.secrets.size === 0;
  }

  add(value: string): void {
    if (value === '' || this.secrets.has(value)) return;
    this.secrets.add(value);
    this.compiled = undefined;
  }

  /** The most characters that a secret takes in any encoding. */
  get maxLength(): number {
    return Math.max(0, ...[...this.secrets].map(({ length }) => length * LONGEST_ESCAPE));
  }

  /** Source of a regular expression that matches all secrets; undefined when none can be part of a text. */
  get pattern(): string | undefined {
    // Longest first: a secret may start with another.
    const long = [...this.secrets].filter(({ length }) => length >= SHORTEST_INSIDE_TEXT);
    const sources = long.sort((one, other) => other.length - one.length).flatMap(encodedPatterns);
    return sources.length === 0 ? undefined : sources.join('|');
  }

  redact(text: string): string {
    if (this.secrets.has(text)) return SECRET_MARK;
    if (this.secrets.size === 0) return text;
    this.compiled ??= new RegExp(this.pattern ?? NEVER, 'g');
    return text.replace(this.compiled, SECRET_MARK);
  }
}

const NEVER = '(?!)';

function encodedPatterns(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  return [writtenSource(secret), ...base64Sources(bytes), hex, hex.toUpperCase()];
}

/** A secret as text, with any mixture of escapes. Encoders leave letters and digits as they are. */
function writtenSource(secret: string): string {
  return [...secret.toWellFormed().matchAll(/\s+|[^\s]/gu)].map(([piece]) => pieceSource(piece)).join('');
}

function pieceSource(piece: string): string {
  if (/^[A-Za-z0-9]$/.test(piece)) return piece;
  // Rendered text has one space for several.
  if (/^\s/.test(piece)) return `(?:\\s|\\+|&nbsp;|${[...new Set(piece)].map(escapesOf).join('|')})+`;
  const literal = piece.replace(/[$()*+./?[\\\]^{|}-]/, '\\$&');
  if (piece === '\\') return `(?:\\\\+|${escapesOf(piece)})`;
  if (piece === '&') return `(?:&(?:amp;)*|${escapesOf(piece)})`;
  return `(?:\\\\*${literal}|${escapesOf(piece)})`;
}

function escapesOf(character: string): string {
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)*${hexSource(byte, 2)}`).join('');
  const point = character.codePointAt(0)!;
  const entities = [`#0*${point}`, `#[xX]0*${hexSource(point)}`, ENTITIES[character] ?? ''].filter(
    (text) => text !== '',
  );
  const units = Array.from({ length: character.length }, (_, at) => hexSource(character.charCodeAt(at), 4));
  const escape = ESCAPES[character];
  return [
    percent,
    `&(?:amp;)*(?:${entities.join('|')});`,
    units.map((unit) => `\\\\+u${unit}`).join(''),
    ...(point < 256 ? [`\\\\+x${hexSource(point, 2)}`] : []),
    ...(escape === undefined ? [] : [`\\\\+${escape}`]),
  ].join('|');
}

/** Hexadecimal digits, in either case. */
function hexSource(number: number, length = 1): string {
  const digits = number.toString(16).padStart(length, '0');
  return digits.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** The part of the base64 that depends on the secret alone, for each of the three offsets where it may begin. */
function base64Sources(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (core.length < SHORTEST_BASE64) return [];
    const source = core
      .replaceAll('+', '(?:[+ -]|%(?:25)*2[bB]|\\\\+u002[bB])')
      .replaceAll('/', '(?:\\\\*SLASH|_|%(?:25)*2[fF])')
      .replaceAll('SLASH', '/');
    return [source];
  });
}
