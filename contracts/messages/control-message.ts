import { z } from 'zod';
import { AcceptedSchema, type Accepted } from './accepted';
import { CONTROL_MESSAGE_NAMES } from './messages';

/** Why a session has refused a message: as its error was answered, or would have been. */
export const MessageRefusalSchema = z.object({
  code: z.string(),
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  state: z.string().optional(),
});
export type MessageRefusal = z.infer<typeof MessageRefusalSchema>;

/** A message to a session, as it is stored. `pending`: it reaches the session as soon as a worker takes it. */
export const ControlMessageSchema = z.object({
  messageId: z.string(),
  sessionId: z.string(),
  name: z.enum(CONTROL_MESSAGE_NAMES),
  state: z.enum(['pending', 'applied', 'refused']),
  createdAt: z.coerce.date(),
  settledAt: z.coerce.date().optional(),
  /** Of a message that was applied. */
  answer: AcceptedSchema.optional(),
  /** Of a message that was refused. */
  refusal: MessageRefusalSchema.optional(),
});
export type ControlMessage = z.infer<typeof ControlMessageSchema>;

/** The answer to a message: what the session says, or, while the message is pending, what is known of the session. */
export const MessageReceiptSchema = AcceptedSchema.extend({
  messageId: z.string(),
  messageState: z.enum(['pending', 'applied']),
  /** Of a pending message: why, and what to do. */
  reason: z.string().optional(),
});

/** A message that a run of the workflow has applied, for the store. */
export interface AppliedMessage {
  messageId: string;
  answer: Accepted;
}
