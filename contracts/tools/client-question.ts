import { z } from 'zod';
import { ConfirmationCardSchema } from '../approvals/approval';
import type { ToolConfirmationOutcome } from '../approvals/confirmation-outcome';

/** What the caller's process says of a call of its tool before it runs: what a person is to be shown, if anything. */
export const ClientQuestionSchema = z.object({
  card: ConfirmationCardSchema.optional(),
  /** Why the process could not say: the call does not run. */
  error: z.string().optional(),
});
export type ClientQuestion = z.infer<typeof ClientQuestionSchema>;

/** The answer for the tool; without an outcome, one that a person gave for all such calls covers this one. */
export interface ClientClearance {
  outcome?: ToolConfirmationOutcome | undefined;
  newContent?: string | undefined;
}
