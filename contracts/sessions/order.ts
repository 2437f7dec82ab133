import { z } from 'zod';
import { enumOf } from '../enum-of';
import { SessionStatus } from './session';

/** Orders to a session, by the names of the updates that carry them to its workflow. */
export const ORDER_KINDS = [
  'pause',
  'resume',
  'cancel',
  'close',
  'addSteps',
  'cancelTurn',
  'cancelCall',
  'resolve-unknown',
  'resolve-budget',
  'decide-approval',
  'revoke-approval',
] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** What a session answers to an order that it has applied. */
export const AcceptedSchema = z.object({
  status: enumOf<SessionStatus>(SessionStatus),
  pauseRequested: z.boolean(),
  totalSteps: z.number(),
});
export type Accepted = z.infer<typeof AcceptedSchema>;

/** Why a session has refused an order: as its error was answered, or would have been. */
export const OrderRefusalSchema = z.object({
  code: z.string(),
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  state: z.string().optional(),
});
export type OrderRefusal = z.infer<typeof OrderRefusalSchema>;

/** `pending`: it is stored, and reaches the session as soon as a worker takes it. */
export const OrderSchema = z.object({
  orderId: z.string(),
  sessionId: z.string(),
  kind: z.enum(ORDER_KINDS),
  state: z.enum(['pending', 'applied', 'refused']),
  createdAt: z.coerce.date(),
  settledAt: z.coerce.date().optional(),
  /** Of an order that was applied. */
  answer: AcceptedSchema.optional(),
  /** Of an order that was refused. */
  refusal: OrderRefusalSchema.optional(),
});
export type Order = z.infer<typeof OrderSchema>;

/** The answer to an order: what the session says, or, while the order is pending, what is known of the session. */
export const OrderReceiptSchema = AcceptedSchema.extend({
  orderId: z.string(),
  orderState: z.enum(['pending', 'applied']),
  /** Of a pending order: why, and what to do. */
  message: z.string().optional(),
});

/** An order that a run of the workflow has applied, for the store. */
export interface AppliedOrder {
  orderId: string;
  answer: Accepted;
}
