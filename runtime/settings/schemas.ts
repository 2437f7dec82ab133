import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { OperatorOriginSchema } from '../../contracts/browsers/origins';
import { BudgetInputSchema, budgetOf } from '../../contracts/models/budget';
import { modelProblem } from '../../contracts/models/model-name';

/** A whole number of at least `least`. */
export function count(least: number) {
  return z.coerce.number('expected a whole number').int().min(least);
}

/** A port to listen on; 0 takes a free one. */
export function port(preferred: number) {
  const error = 'expected a port from 0 to 65535';
  return z.coerce.number(error).int(error).min(0, error).max(65_535, error).default(preferred);
}

/** A number above zero. */
export function amount() {
  return z.coerce.number('expected a number above zero').positive();
}

/** A name made of word characters and the others that are named. */
export function name(pattern: RegExp) {
  return z.string().regex(pattern);
}

export function folder() {
  return z.string().transform((path) => resolve(path));
}

/** Texts separated by spaces or commas. */
export function commaList() {
  return z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''));
}

/** Origin patterns separated by spaces or commas. */
export function originList() {
  return commaList().transform((origins, context) => {
    for (const origin of origins) {
      const parsed = OperatorOriginSchema.safeParse(origin);
      if (!parsed.success) context.addIssue({ code: 'custom', message: parsed.error.issues[0]!.message });
    }
    return origins;
  });
}

/** One of these words. */
export function choice<const T extends string>(...words: T[]) {
  return z.enum(words, { error: ({ input }) => `expected ${words.join(' or ')}, got ${String(input)}` });
}

export function onOrOff() {
  return choice('on', 'off').transform((value) => value === 'on');
}

/** One of these words, in any case. */
export function oneOf<const T extends string>(words: readonly T[]) {
  return z.string().transform((text, context): T => {
    const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: `expected one of ${words.join(', ')}, got ${text}` });
    return z.NEVER;
  });
}

export const ModelNamesSchema = z.string().superRefine((value, context) => {
  const problem = modelProblem(value);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

export const BudgetJson = z.string().transform((text, context) => {
  const parsed = BudgetInputSchema.safeParse(parseJson(text));
  if (parsed.success) return budgetOf(parsed.data);
  context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'expected JSON' });
  return z.NEVER;
});

/** JSON, or the path of a file with it. */
export function jsonOrFile<T>(schema: z.ZodType<T>) {
  return z.string().transform((setting, context): T => {
    try {
      const text = setting.trimStart().startsWith('{') ? setting : readFileSync(setting, 'utf8');
      const parsed = schema.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      context.addIssue({ code: 'custom', message: `${issue?.path.join('.')}: ${issue?.message}` });
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
    return z.NEVER;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
