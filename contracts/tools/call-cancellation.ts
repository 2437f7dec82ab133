import { z } from 'zod';

/** Cancels the response of a conversation. */
export const CancelTurnRequestSchema = z.strictObject({
  reason: z.string().max(1000).optional().meta({ description: 'What the model reads as the reason' }),
});

/** Cancels one call of a turn; the others of its batch go on. */
export const CancelCallRequestSchema = z.strictObject({
  callId: z.string().min(1).max(200).meta({ description: 'Id of the call, as events and approvals have it' }),
  reason: z.string().max(1000).optional(),
});

/** Summarizes the cancellation in one line for the log. */
export function cancelledSummary(reason: string): string {
  return reason === '' ? 'cancelled by user' : `cancelled by user: ${reason}`;
}

/** The result of the cancelled call for the model. */
export function cancelledText(how: 'before-it-began' | 'harmless' | 'unknown', reason: string): string {
  const why = reason === '' ? '' : ` Their reason: ${reason}`;
  const what = {
    'before-it-began': 'before it began, and it was not done.',
    harmless: 'while it ran; it may be done in part. Look before going on.',
    unknown: 'while it ran: whether it took effect is unknown. Look before doing it again.',
  };
  return `Error: the user cancelled this call ${what[how]}${why}`;
}

/** A note for the model beside the result of a call that ended before it could be cancelled. */
export function cancelledTooLate(toolName: string, reason: string): string {
  const why = reason === '' ? '' : ` Their reason: ${reason}`;
  return `The user cancelled the call of ${toolName}, but it was through before it could be stopped: its result is what happened.${why}`;
}
