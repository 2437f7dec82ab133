import { readable } from '../../../../rules/page-text/contains-text';

/**
 * True when the text that stands in a field is the one that was typed, as a person takes it: a mask may have added signs
 * between its letters and digits, a page may have changed their case, trimmed them, or written a number out.
 */
export function isSameText(wanted: string, shown: string): boolean {
  if (readable(wanted) === readable(shown)) return true;
  const [plainWanted, plainShown] = [plain(wanted), plain(shown)];
  // A mask may begin with the code of a country.
  if (
    /^\d{6,}$/.test(plainWanted) &&
    /^\+\d{1,3}$/.test(plainShown.slice(0, -plainWanted.length)) &&
    plainShown.endsWith(plainWanted)
  )
    return true;
  const [number, other] = [numberOf(wanted), numberOf(shown)];
  if (number !== undefined && other !== undefined) return number === other;
  // Signs alone have nothing that would stay.
  return plainWanted !== '' && plainWanted === plainShown;
}

/** Letters and digits, in their order. */
function plain(text: string): string {
  return readable(text)
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{S}]/gu, '')
    .replaceAll(/\p{Sc}/gu, '');
}

/** A longer text is none; a page may write any number of spaces around one. */
const LONGEST_NUMBER = 100;

/** A number with its groups of thousands and a currency around it; undefined for any other text. */
function numberOf(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER) return undefined;
  const [, sign = '', digits = ''] =
    /^[\s\p{Sc}]*([-+]?)[\s\p{Sc}]*(\d[\d,\s']*(?:\.\d+)?)[\s\p{Sc}%]*$/u.exec(text) ?? [];
  return digits === '' ? undefined : Number(sign + digits.replaceAll(/[^\d.]/g, ''));
}
