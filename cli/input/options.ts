import { InvalidArgumentError } from 'commander';

/** Collects `--variable name=value`, which may be repeated. */
export function collectPair(given: string, before: [string, string][] = []): [string, string][] {
  const at = given.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(`Expected name=value, got "${given}".`);
  return [...before, [given.slice(0, at), given.slice(at + 1)]];
}

/** Collects an option that may be repeated. */
export function collectText(given: string, before: string[] = []): string[] {
  return [...before, given];
}

export function toCount(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('Expected a whole number.');
  return value;
}

export function toPositiveCount(text: string): number {
  const value = toCount(text);
  if (value === 0) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return value;
}

export function toPort(text: string): number {
  const value = toCount(text);
  if (value > 65_535) throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  return value;
}

/** Parses seconds, also fractions, into milliseconds. */
export function toSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0 || value > 2_000_000) {
    throw new InvalidArgumentError('Expected a number of seconds above 0.');
  }
  return value * 1000;
}

export const JSON_OPTION = ['--json', 'print the result as JSON'] as const;

export const SESSION_ARGUMENT = [
  '<id>',
  'id of the session, the beginning of it, or the name of its workflow',
] as const;
