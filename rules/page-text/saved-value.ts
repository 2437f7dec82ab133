import { toNumber } from './to-number';

/**
 * What is saved of a text: what was asked for, without its label ("£49.00" of "Total: £49.00"), or its number alone.
 * Undefined where a number was asked for and the text does not have exactly one.
 */
export function savedValue(
  text: string,
  { label, as }: { label?: string | undefined; as?: 'number' | undefined },
): string | undefined {
  const value = withoutSign(label === undefined ? text : (afterLabel(text, label) ?? text));
  return as === undefined ? value : toNumber(value)?.toString();
}

/** Between the parts of a text that says several things: “3 items · Total 720 €”. */
export const SEPARATOR = /\s[·|•]\s/;

/** Sentences say several things too: “Owner since 2019. Phone 0117 496 0134”. */
const BETWEEN = new RegExp(`${SEPARATOR.source}|\\.\\s+(?=\\p{Lu})`, 'u');

/** The text after its label; undefined where it does not begin with the label, or nothing comes after it. */
export function afterLabel(text: string, label: string): string | undefined {
  const parts = text.split(BETWEEN);
  if (parts.length > 1) {
    const values = parts.flatMap((part) => afterLabel(part, label) ?? []);
    return values.length === 1 ? values[0] : undefined;
  }
  if (label === '') return undefined;
  // “Firmware 7.4, serial FX-22”: the label begins one of the parts.
  const clauses = text.split(CLAUSE);
  if (clauses.length > 1) {
    const values = clauses.slice(1).flatMap((clause) => afterLabel(clause, label) ?? []);
    if (values.length === 1) return values[0];
  }
  if (!text.toLowerCase().startsWith(label.toLowerCase())) return undefined;
  const rest = text.slice(label.length);
  // "Name of the product" has no label "Name", unless a mark, a line or a value that is no word follows.
  const [, value] = /^(?:\s*[:=：]\s*|\s*\n\s*|\s+[–—-]\s+|\s+(?=[^\p{L}\s]|[\p{L}-]*\d))(\S[^]*)$/u.exec(rest) ?? [];
  return value === undefined ? undefined : withoutSign(value);
}

const CLAUSE = /,\s+/;

/** A sign behind a value is a button of its own. */
const withoutSign = (value: string): string => value.replace(/(?<=[\p{L}\p{N}]\S*)\s+[✎✏🗑✕×⋮⋯▾▸]+$/u, '');
