import { z } from 'zod';
import type { Issue } from '../errors/issues';

const HOUR_MS = 3_600_000;
const UNIT_MS = { h: HOUR_MS, d: 24 * HOUR_MS } as const;
const DEFAULT_WITHIN = '400d';
const MAX_KEY_LENGTH = 200;

/** What is to happen once, whatever session comes to it again. The key names it for its tenant, at the origin of its page. */
export const OnceSchema = z.strictObject({
  key: z
    .string()
    .trim()
    .min(1, 'a key names what is to happen once, such as "invoice-${invoice}"')
    .max(MAX_KEY_LENGTH, `a key has at most ${MAX_KEY_LENGTH} characters`)
    .meta({
      description: 'Names what is to happen once; `${name}` stands for a variable',
      example: 'invoice-${invoice}',
    }),
  within: z
    .string()
    .regex(/^[1-9]\d{0,4}[hd]$/, 'expected hours or days, such as "36h" or "400d"')
    .optional()
    .meta({ description: `How long it counts as done; ${DEFAULT_WITHIN} where it is left out`, example: '400d' }),
  whenDone: z
    .enum(['complete', 'fail'])
    .optional()
    .meta({ description: 'What becomes of a step that is done already; `complete` where it is left out' }),
});
export type Once = z.infer<typeof OnceSchema>;

/** With every option decided. `session`: one key for all steps of the session that have none of their own. */
export interface StepOnce {
  key: string;
  withinMs: number;
  whenDone: 'complete' | 'fail';
  covers: 'step' | 'session';
}

export function stepOnce(
  { key, within = DEFAULT_WITHIN, whenDone = 'complete' }: Once,
  covers: StepOnce['covers'],
): StepOnce {
  const unit = within.at(-1) as keyof typeof UNIT_MS;
  return { key, withinMs: Number.parseInt(within, 10) * UNIT_MS[unit], whenDone, covers };
}

/** The option that this was planned from. */
export function onceOf({ key, withinMs, whenDone }: StepOnce): Once {
  return { key, within: `${withinMs / HOUR_MS}h`, whenDone };
}

/** A key is shown to people and outlives its session, so no secret is part of it; and an empty name would stand for many things. */
export function onceIssues(
  keys: readonly { path: string; once: Once | undefined }[],
  { variables = {}, secrets = {} }: { variables?: Record<string, unknown> | undefined; secrets?: object | undefined },
): Issue[] {
  return keys.flatMap(({ path, once }) =>
    namesIn(once?.key ?? '').flatMap((name) => {
      const value = variables[name];
      if (name in secrets)
        return [{ path, message: `${name} is a secret, and a key is shown to people; name what is paid or sent` }];
      if (typeof value === 'object')
        return [{ path, message: `the value of ${name} is kept to the workers, and a key is shown to people` }];
      return typeof value === 'string' && value.trim() === '' ? [{ path, message: emptyInKey(name) }] : [];
    }),
  );
}

const NAME_IN_KEY = /\$\{([a-zA-Z_][a-zA-Z0-9_-]*)\}/g;

/** The variables in a key. */
export function namesIn(key: string): string[] {
  return [...key.matchAll(NAME_IN_KEY)].map(([, name]) => name!);
}

export function emptyInKey(name: string, what: 'key' | 'check' = 'key'): string {
  return `the variable ${name} is empty, so the ${what} would stand for every one without it`;
}

/**
 * `open`: its step is under way. `unknown`: that has failed, and something was sent that may have had its effect. `released`:
 * the key is free again.
 */
export const EffectStateSchema = z.enum(['open', 'done', 'unknown', 'released']);

const EffectEvidenceSchema = z.object({
  action: z.string(),
  target: z.string().nullable(),
  /** Of the command. */
  status: z.string(),
  at: z.coerce.date(),
  url: z.string().nullable(),
  requests: z.array(
    z.object({
      method: z.string(),
      url: z.string(),
      status: z.number().optional(),
      failure: z.string().optional(),
    }),
  ),
});

/** Who has done, or is about to do, what is to happen once. */
export const EffectSchema = z.object({
  effectId: z.number(),
  tenant: z.string(),
  origin: z.string(),
  key: z.string(),
  state: EffectStateSchema,
  sessionId: z.string(),
  /** Absent where the key covers the whole session. */
  stepIndex: z.number().optional(),
  /** What people call the session. */
  title: z.string(),
  /** The commits that the key covers, with the requests that may have changed something; empty before its step has ended. */
  evidence: z.array(EffectEvidenceSchema),
  /** Why it is settled as it is, where a person has said so or nothing was sent. */
  reason: z.string().optional(),
  /** The person who has said so. */
  settledBy: z.string().optional(),
  claimedAt: z.coerce.date(),
  settledAt: z.coerce.date().optional(),
});
export type Effect = z.infer<typeof EffectSchema>;

/** Which effects are listed. */
export const EffectQuerySchema = z.object({
  key: z.string().min(1).max(1000).optional().meta({ description: 'A key, whole' }),
  tenant: z.string().max(64).optional().meta({ description: 'Those of one tenant' }),
  session: z.string().max(200).optional().meta({ description: 'Id of the session that holds or held the key' }),
  state: EffectStateSchema.optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional().meta({ description: '100 where it is left out' }),
});
export type EffectQuery = z.infer<typeof EffectQuerySchema>;

/** What a person knows of it: it has happened, or it may happen again. */
export const SettleEffectSchema = z.strictObject({
  state: z.enum(['done', 'released']).meta({ description: '`done`: it has happened; `released`: it may happen again' }),
  reason: z
    .string()
    .trim()
    .min(1, 'say how this is known')
    .max(500)
    .meta({ description: 'How this is known', example: 'the bank has sent the payment back' }),
  by: z.string().trim().min(1).max(100).optional().meta({ description: 'Who says so' }),
});
export type SettleEffect = z.infer<typeof SettleEffectSchema>;

/** Says in sentences who holds a key, and what is known of it. */
export function describeEffect({
  key,
  origin,
  state,
  sessionId,
  stepIndex,
  title,
  claimedAt,
  settledAt,
  evidence,
}: Effect): string {
  const name = title === '' ? '' : ` (${title})`;
  const place = stepIndex === undefined ? '' : `, step ${stepIndex + 1}`;
  const who = `session ${sessionId}${name}${place}`;
  const sent = evidence.flatMap(({ requests }) => requests.map(requestText)).slice(0, 3);
  const seen = sent.length === 0 ? '' : ` It sent ${sent.join(', ')}.`;
  const at = (settledAt ?? claimedAt).toISOString();
  const named = `“${key}” at ${origin}`;
  if (state === 'done') return `${named} was done by ${who} on ${at}.${seen}`;
  if (state === 'open') return `${named} is being done by ${who} since ${claimedAt.toISOString()}.`;
  if (state === 'unknown')
    return `${named} was begun by ${who}, which failed on ${at}, and it may have happened.${seen}`;
  return `${named} is free: ${who} had it.`;
}

function requestText({ method, url, status, failure }: Effect['evidence'][number]['requests'][number]): string {
  return `${method} ${url} (${status ?? failure ?? 'no answer was seen'})`;
}
