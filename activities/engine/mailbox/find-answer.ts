import { webOriginOf } from '../../../contracts/browsers/origins';
import type { AskedAs } from '../../../contracts/approvals/asked-secret';
import type { MailText } from './mail-text';

export interface Wanted {
  as: AskedAs;
  /** Of a link. */
  origins: readonly string[];
  /** The text before the code, or a part of the address. */
  near?: string | undefined;
}

/** Four to eight digits, also in groups, behind a prefix such as G-, or one by one. Dates, times, amounts and addresses are none. */
const DIGITS = String.raw`(?<![\w.,:/+#@-])(?:[A-Z]{1,3}-)?(\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|\d(?: \d){3,7}|\d{4,8})(?![\w/:@%-]|[.,]\d| ?[€$£])`;
const LETTERS = String.raw`(?<![\w./:@-])((?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]{3,6}(?:-[A-Z\d]{3,6})?)(?![\w/:@-])`;
const ANY_CODE = new RegExp(`${DIGITS}|${LETTERS}`, 'g');
const ONLY_CODE = new RegExp(`^(?:${DIGITS}|${LETTERS})$`);
const NAMES_CODE = /\b(?:code|passcode|pin|tan|otp)\b/i;
const ADDRESS = /https?:\/\/\S+/g;
const YEAR = /^(?:19|20)\d\d$/;
/** So far behind `near` a code may stand. */
const NEAR = 200;

/** The codes, or the addresses, that may be meant by a mail: one where it is certain. */
export function findAnswers(texts: readonly MailText[], wanted: Wanted): string[] {
  if (wanted.as === 'link') return findLinks(texts, wanted);
  for (const { lines } of texts) {
    const found = findCodes(lines, wanted.near);
    if (found.length > 0) return found;
  }
  return [];
}

/** What stands alone in its line is the code; else what a line names so; else a number. */
function findCodes(lines: readonly string[], near: string | undefined): string[] {
  if (near !== undefined) return codeBehind(lines.join(' '), near);
  const alone = lines.filter((line) => ONLY_CODE.test(line)).flatMap(codesIn);
  if (alone.length > 0) return distinct(alone);
  const named = lines.filter((line) => NAMES_CODE.test(line)).flatMap(codesIn);
  if (named.length > 0) return distinct(named);
  return distinct(lines.flatMap(codesIn).filter((code) => /^\d+$/.test(code)));
}

function codeBehind(text: string, near: string): string[] {
  const at = text.toLowerCase().indexOf(near.toLowerCase().replaceAll(/\s+/g, ' '));
  if (at < 0) return [];
  return codesIn(text.slice(at + near.length, at + near.length + NEAR)).slice(0, 1);
}

function codesIn(line: string): string[] {
  return [...line.replaceAll(ADDRESS, ' ').matchAll(ANY_CODE)].flatMap(([, digits, letters]) => {
    if (digits === undefined) return letters === undefined ? [] : [letters];
    return YEAR.test(digits) && line !== digits ? [] : [digits.replaceAll(/\D/g, '')];
  });
}

/** A link to the start page of a site is no answer. */
function findLinks(texts: readonly MailText[], { origins, near }: Wanted): string[] {
  const own = texts
    .flatMap(({ links }) => links)
    .filter((link) => {
      const origin = webOriginOf(link);
      return origin !== undefined && origins.includes(origin) && (near === undefined || link.includes(near));
    });
  return distinct(own.filter(leadsSomewhere));
}

function leadsSomewhere(link: string): boolean {
  const { pathname, search, hash } = new URL(link);
  return pathname !== '/' || search !== '' || hash !== '';
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
