import { z } from 'zod';
import { WaitingForBudgetSchema } from '../models/budget';
import { WaitingForUnknownSchema } from './unknown-outcome';

/** Why a session waits although no operator has paused it. */
export const WaitingForSchema = z.discriminatedUnion('pausedFor', [WaitingForUnknownSchema, WaitingForBudgetSchema]);
export type WaitingFor = z.infer<typeof WaitingForSchema>;
