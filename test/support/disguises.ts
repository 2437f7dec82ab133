import { domainToASCII } from 'node:url';

/** Clothes of a secret beside the forms of encoders: each of these must be found as well. */
export const DISGUISES: Record<string, (secret: string) => string> = {
  upper: (secret) => secret.toUpperCase(),
  lower: (secret) => secret.toLowerCase(),
  swapped: (secret) =>
    characters(secret)
      .map((each, at) => (at % 2 === 0 ? each.toUpperCase() : each.toLowerCase()))
      .join(''),
  ...Object.fromEntries(
    [' ', '-', '.', '_', '\u00a0', '\u2009', '\u202f', '\u200b', '\u2060', '\u00ad', '\u2011', ' - '].map(
      (separator) => [
        `groups of four with U+${separator.charCodeAt(0).toString(16)}${separator.length > 1 ? ' and more' : ''}`,
        (secret: string) => groups(secret, 4).join(separator),
      ],
    ),
  ),
  'every character apart': (secret) => characters(secret).join('\u200b'),
  'two lines': (secret) => groups(secret, Math.ceil(secret.length / 2)).join('\n'),
  'host name': (secret) => `https://${labelOf(secret)}.evil.example/`,
  'upper host name': (secret) => `${labelOf(secret).toUpperCase()}.EVIL.EXAMPLE`,
  'all percent': (secret) => bytesOf(secret, (hex) => `%${hex}`),
  'all percent in capitals': (secret) => bytesOf(secret, (hex) => `%${hex.toUpperCase()}`),
  'every other percent': (secret) =>
    characters(secret)
      .map((each, at) => (at % 2 === 0 ? bytesOf(each, (hex) => `%${hex}`) : each))
      .join(''),
  'percent twice': (secret) => bytesOf(secret, (hex) => `%25${hex}`),
  'percent three times': (secret) => bytesOf(secret, (hex) => `%2525${hex}`),
  'percent of capitals': (secret) => encodeURIComponent(secret.toUpperCase()),
  'decimal entities': (secret) =>
    characters(secret)
      .map((each) => `&#${each.codePointAt(0)};`)
      .join(''),
  'hexadecimal entities': (secret) =>
    characters(secret)
      .map((each) => `&#x${each.codePointAt(0)!.toString(16)};`)
      .join(''),
  'padded entities': (secret) =>
    characters(secret)
      .map((each) => `&#x000${each.codePointAt(0)!.toString(16).toUpperCase()};`)
      .join(''),
  'entities in percent': (secret) =>
    encodeURIComponent(
      characters(secret)
        .map((each) => `&#${each.codePointAt(0)};`)
        .join(''),
    ),
  'named entities': (secret) =>
    secret
      .replaceAll('ü', '&uuml;')
      .replaceAll('ß', '&szlig;')
      .replaceAll('é', '&eacute;')
      .replaceAll('-', '&hyphen;')
      .replaceAll('!', '&excl;'),
  'unicode escapes': (secret) => unitsOf(secret, (hex) => `\\u${hex}`),
  'unicode escapes in JSON': (secret) => unitsOf(secret, (hex) => `\\\\u${hex}`),
  'code point escapes': (secret) =>
    characters(secret)
      .map((each) => `\\u{${each.codePointAt(0)!.toString(16)}}`)
      .join(''),
  'legacy escapes': (secret) => unitsOf(secret, (hex) => `%u${hex}`),
  'quoted-printable': (secret) => bytesOf(secret, (hex) => `=${hex.toUpperCase()}`),
  'quoted-printable with a soft break': (secret) => groups(secret, 5).join('=\r\n'),
  'full width': (secret) =>
    characters(secret)
      .map((each) => (/[!-~]/.test(each) ? String.fromCharCode(each.charCodeAt(0) + 0xfee0) : each))
      .join(''),
  'mathematical letters': (secret) =>
    secret.replaceAll(/[a-z]/g, (each) => String.fromCodePoint(0x1d41a + each.charCodeAt(0) - 97)),
  decomposed: (secret) => secret.normalize('NFD'),
  composed: (secret) => secret.normalize('NFC'),
  'struck out': (secret) =>
    characters(secret)
      .map((each) => `${each}\u0336`)
      .join(''),
  'tags within': (secret) => `<b>${secret.slice(0, 3)}</b>${secret.slice(3)}`,
  'a tag around each character': (secret) =>
    characters(secret)
      .map((each) => `<span class="c" style="color: red">${each}</span>`)
      .join(''),
  'comments within': (secret) => groups(secret, 3).join('<!-- x -->'),
  'tags and capitals': (secret) => groups(secret.toUpperCase(), 4).join('</td> <td>'),
  'hexadecimal digits in capitals': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  'hexadecimal digits apart': (secret) => bytesOf(secret, (hex) => `${hex}:`),
  'hexadecimal escapes': (secret) => bytesOf(secret, (hex) => `\\x${hex}`),
};

const characters = (text: string): string[] => Array.from(text);

function groups(text: string, size: number): string[] {
  const all = characters(text);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size).join(''),
  );
}

function bytesOf(text: string, write: (hex: string) => string): string {
  return [...Buffer.from(text)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('');
}

function unitsOf(text: string, write: (hex: string) => string): string {
  return Array.from({ length: text.length }, (_, at) => write(text.charCodeAt(at).toString(16).padStart(4, '0'))).join(
    '',
  );
}

function labelOf(secret: string): string {
  return domainToASCII(`${secret.replaceAll(/[^\p{L}\p{N}-]/gu, '')}.example`).replace('.example', '');
}
