import { ROLE_WORD } from './role-words';

const SEPARATOR = /\s*,\s+(?:and\s+)?|\s+and\s+|\s+[&+]\s+/i;
const PLURAL = new RegExp(`^(?:the\\s+)?(${ROLE_WORD})(?:s|es)\\s+(?=[\\uE000-\\uEFFF])`, 'i');

/** The parts of `"A", "B" and "C"`, each with the kind that the first one names; undefined for a single thing. */
export function listOf(text: string): string[] | undefined {
  const parts = text.split(SEPARATOR).map((part) => part.trim());
  if (parts.length < 2 || parts.includes('')) return undefined;
  const kind = PLURAL.exec(text)?.[1];
  return kind === undefined ? parts : parts.map((part) => `${kind} ${part.replace(PLURAL, '')}`);
}
