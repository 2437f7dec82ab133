import type { z } from 'zod';
import { truncateMiddle } from '../../../../rules/page-text/truncate-middle';
import { mapTexts } from '../../../../contracts/json';
import { issuesOf, issuesText } from '../../../../contracts/errors/issues';

/** The call is not run; the message is its result for the model. */
export class Refusal extends Error {}

/** Parses the arguments that a model wrote; throws Refusal where they are no JSON object (S2.A17). */
export function readArguments(name: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw invalidArguments(name, `expected JSON, got text that is none: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidArguments(
      name,
      `expected a JSON object of arguments, got ${Array.isArray(value) ? 'a list' : String(value)}`,
    );
  return value as Record<string, unknown>;
}

/** Checks arguments against their schema; throws Refusal with what is wrong (S2.A7). */
export function checkArguments<T>(name: string, schema: z.ZodType<T>, args: Record<string, unknown>): T {
  const parsed = schema.safeParse(withMeantAction(name, withoutNulls(args)));
  if (parsed.success) return parsed.data;
  throw invalidArguments(name, issuesText(issuesOf(parsed.error)));
}

export function invalidArguments(name: string, why: string): Refusal {
  return new Refusal(`Parameter validation failed for ${name}: ${why}. Nothing was run; correct the call.`);
}

/** Models of vendors that require every member give null for those that do not apply. */
function withoutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** Small models write the bare word for the click of the left button. */
function withMeantAction(name: string, args: Record<string, unknown>): Record<string, unknown> {
  return name === 'computer' && args['action'] === 'click' ? { ...args, action: 'left_click' } : args;
}

const LARGEST = 8000;
const LONGEST_TEXT = 500;

/** Truncates arguments for Temporal's history and the log; the store has them whole. */
export function cappedArguments(args: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(args).length <= LARGEST) return args;
  const cut = mapTexts(args, (text) => truncateMiddle(text, LONGEST_TEXT));
  const text = JSON.stringify(cut);
  return text.length <= LARGEST ? cut : { truncated: truncateMiddle(text, LONGEST_TEXT) };
}
