import { z } from 'zod';
import { WaitingForBudgetSchema } from '../models/budget';
import { WaitingForUnknownSchema } from './unknown-outcome';

/** A conversation is idle: it waits for the next message of its user. */
export const WaitingForMessageSchema = z.object({ pausedFor: z.literal('message') });

/** Why a session waits although no operator has paused it. */
export const WaitingForSchema = z.discriminatedUnion('pausedFor', [
  WaitingForUnknownSchema,
  WaitingForBudgetSchema,
  WaitingForMessageSchema,
]);
export type WaitingFor = z.infer<typeof WaitingForSchema>;
