/** A part of a path that differs from one visit to the next: digits, a UUID, a long hexadecimal id. */
const NUMBER = /^\d+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^(?=.*\d)[0-9a-f]{12,}$/i;
const NUMBERS_IN_PART = /\d{2,}/g;

/**
 * The address of a page without what differs between visits: origin and shape of the path, as in
 * `https://shop.example/orders/:number`. Query and fragment are no part of it. A part that is the value of a variable becomes
 * its name.
 */
export function toPagePattern(address: string, values: ReadonlyMap<string, string> = new Map()): string {
  if (!URL.canParse(address)) return address;
  const { origin, protocol, pathname } = new URL(address);
  if (origin === 'null') return protocol === 'about:' ? address : protocol;
  const parts = pathname.replace(/\/+$/, '').split('/').slice(1);
  return [origin, ...parts.map((part) => toPartPattern(decoded(part), values))].join('/');
}

function toPartPattern(part: string, values: ReadonlyMap<string, string>): string {
  for (const [name, value] of values) if (value === part) return `:${name}`;
  if (NUMBER.test(part)) return ':number';
  if (UUID.test(part) || HEX.test(part)) return ':id';
  return encodeURIComponent(part.replaceAll(NUMBERS_IN_PART, '#')).replaceAll('%23', '#');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A text with its numbers replaced by `#`: “Order 4711 placed” reads the same on the next day. */
export function toTextPattern(text: string): string {
  return text.replaceAll(/\d+/g, '#').replace(/\s+/g, ' ').trim();
}

/** The pattern of a page that nothing is known of, as after a click in a recording. */
export const ANY_PAGE = '*';

/** Whether a page has the pattern that is wanted. */
export function isPage(wanted: string, shown: string): boolean {
  return wanted === ANY_PAGE || wanted === shown;
}
