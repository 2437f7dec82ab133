import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { SessionStatus } from '../../contracts/sessions/session';

/** The outcome of one run; `--json` writes it, `--sum` reads it. */
export const OutcomeSchema = z.object({
  title: z.string(),
  tookMs: z.number(),
  kills: z.array(
    z.object({
      what: z.string(),
      backAfterMs: z.number().optional(),
      toCommandMs: z.number().optional(),
      toRestoredMs: z.number().optional(),
    }),
  ),
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      status: z.enum(SessionStatus),
      form: z.enum(['steps', 'task']).default('steps'),
      approvals: z.number().default(0),
      reason: z.string().optional(),
      orders: z.number(),
      duplicatesSeen: z.number(),
      eventsMissed: z.number(),
      unknowns: z.array(z.string()),
      /** What became of recipes in its steps. */
      recipes: z.array(z.enum(['used', 'healed', 'failed'])).default([]),
      breaches: z.array(z.string()),
      /** Only of a failed session or one with breaches, to find the reason after its stack is removed. */
      log: z.array(z.unknown()).optional(),
    }),
  ),
  naive: z.array(z.object({ isCompleted: z.boolean(), orders: z.number() })),
  viewers: z.number(),
  connections: z.number(),
  /** Killed processes that were not ready again in time. */
  missing: z.array(z.string()).default([]),
  leftovers: z.array(z.string()),
});
export type Outcome = z.infer<typeof OutcomeSchema>;

export function writeOutcome(file: string, outcome: Outcome): void {
  writeFileSync(file, `${JSON.stringify(outcome)}\n`);
}

/** Sums several outcomes. */
export function sumOutcomes(files: readonly string[]): Outcome {
  const outcomes = files.map((file) => OutcomeSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
  const total = (of: (outcome: Outcome) => number): number => outcomes.reduce((sum, each) => sum + of(each), 0);
  return {
    title: outcomes.map(({ title }) => title).join('\n'),
    tookMs: total(({ tookMs }) => tookMs),
    kills: outcomes.flatMap(({ kills }) => kills),
    sessions: outcomes.flatMap(({ sessions }) => sessions),
    naive: outcomes.flatMap(({ naive }) => naive),
    viewers: total(({ viewers }) => viewers),
    connections: total(({ connections }) => connections),
    missing: outcomes.flatMap(({ missing }) => missing),
    leftovers: outcomes.flatMap(({ leftovers }) => leftovers),
  };
}
