/** The most characters that a character takes when escaped, even twice. */
export const LONGEST_ESCAPE = 12;
/** So many base64 characters identify a secret. */
const SHORTEST_BASE64 = 5;

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
const ESCAPES: Record<string, string> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

/** Regular expressions that match a secret as encoders write it: escaped, in base64 at any offset, in hexadecimal digits. */
export function encodedPatterns(secret: string): string[] {
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
  if (/^\s/.test(piece)) return `(?:\\s|\\+|&nbsp;|${[...new Set(piece)].map(escapesOf).join('|')}){1,200}`;
  const literal = piece.replace(/[$()*+./?[\\\]^{|}-]/, '\\$&');
  if (piece === '\\') return `(?:\\\\{1,8}|${escapesOf(piece)})`;
  if (piece === '&') return `(?:&(?:amp;){0,8}|${escapesOf(piece)})`;
  return `(?:\\\\{0,8}${literal}|${escapesOf(piece)})`;
}

function escapesOf(character: string): string {
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25){0,8}${hexSource(byte, 2)}`).join('');
  const point = character.codePointAt(0)!;
  const entities = [`#0{0,8}${point}`, `#[xX]0{0,8}${hexSource(point)}`, ENTITIES[character] ?? ''].filter(
    (text) => text !== '',
  );
  const units = Array.from({ length: character.length }, (_, at) => hexSource(character.charCodeAt(at), 4));
  const escape = ESCAPES[character];
  return [
    percent,
    `&(?:amp;){0,8}(?:${entities.join('|')});`,
    units.map((unit) => `\\\\{1,8}u${unit}`).join(''),
    ...(point < 256 ? [`\\\\{1,8}x${hexSource(point, 2)}`] : []),
    ...(escape === undefined ? [] : [`\\\\{1,8}${escape}`]),
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
      .replaceAll('+', '(?:[+ -]|%(?:25){0,8}2[bB]|\\\\{1,8}u002[bB])')
      .replaceAll('/', '(?:\\\\{0,8}SLASH|_|%(?:25){0,8}2[fF])')
      .replaceAll('SLASH', '/');
    return [source];
  });
}
