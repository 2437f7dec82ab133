import { z } from 'zod';
import { WaitingForBudgetSchema } from '../models/budget';
import { WaitingForUnknownSchema } from './unknown-outcome';

/** A conversation is idle: it waits for the next message of its user. */
export const WaitingForMessageSchema = z.object({ pausedFor: z.literal('message') });

/** The database was put back to an earlier time: a person looks at what it had forgotten, and resumes the session. */
export const WaitingForLookSchema = z.object({ pausedFor: z.literal('rolled-back-store'), message: z.string() });

/** Why a session waits although no operator has paused it. */
export const WaitingForSchema = z.discriminatedUnion('pausedFor', [
  WaitingForUnknownSchema,
  WaitingForBudgetSchema,
  WaitingForMessageSchema,
  WaitingForLookSchema,
]);
export type WaitingFor = z.infer<typeof WaitingForSchema>;
