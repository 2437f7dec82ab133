import { z } from 'zod';
import { BrowserActionSchema } from '../commands/commands';

/** A commit whose outcome is unknown, with the evidence, small enough for Temporal's history. */
export const UnknownOutcomeSchema = z.object({
  commandId: z.string(),
  action: BrowserActionSchema,
  what: z.string().meta({ description: 'What it was meant for: role and name of the element, or the key' }),
  /** Identifies its target, to recognise a repetition; absent where the model wrote the selector itself. */
  target: z.object({ role: z.string(), name: z.string() }).optional(),
  key: z.string().optional(),
  urlBefore: z.string(),
  urlAfter: z.string(),
  eventDelivered: z
    .boolean()
    .optional()
    .meta({ description: 'Whether its page got the event; absent when the browser was lost with it' }),
  witnesses: z.string().optional().meta({
    description:
      'What is known of a command that the database has forgotten, because it was put back to an earlier time',
  }),
  seen: z.string().optional().meta({ description: 'What the check of the step has seen, where that proved nothing' }),
  proposedCheck: z.array(z.string()).optional().meta({
    description:
      'A check for its step, which has none: what the steps behind it, or those of an earlier session, looked for',
  }),
  requests: z
    .array(
      z.object({
        method: z.string(),
        url: z.string(),
        status: z.number().optional(),
        failure: z.string().optional(),
      }),
    )
    .meta({ description: 'The first requests that were seen since, of those that may have changed something' }),
});
export type UnknownOutcome = z.infer<typeof UnknownOutcomeSchema>;

/** A session waits because it is unknown whether this happened. */
export const WaitingForUnknownSchema = z.object({
  pausedFor: z.literal('unknown-outcome'),
  unknown: UnknownOutcomeSchema,
});

/** The answer of a person who has checked. */
export const ResolveUnknownRequestSchema = z.strictObject({
  commandId: z.string().min(1).meta({ description: 'The command that the session waits for' }),
  happened: z.boolean().meta({ description: 'true: it took effect; false: it did not, and is run again' }),
});
export type ResolveUnknownRequest = z.infer<typeof ResolveUnknownRequestSchema>;

/** How an unknown outcome was resolved; its journal entry stays `unknown`. */
export interface Resolution {
  /** `check`: the site has answered by the check of the step. */
  by: 'model' | 'person' | 'check';
  happened: boolean;
  /** ISO-8601 UTC. */
  at: string;
  /** What the check has seen, as a sentence. */
  seen?: string;
}

/** Whether nothing overrules it: what a person said, and what the site shows. */
export function isFinal(resolution: Pick<Resolution, 'by'> | undefined): boolean {
  return resolution !== undefined && resolution.by !== 'model';
}

/** What a reply says of a commit of unknown outcome, as `context.unknownOutcome`. Without it the decision counts. */
const JudgementSchema = z.enum(['happened', 'cannot-know']);
export type UnknownJudgement = z.infer<typeof JudgementSchema>;

export function judgementOf(context: Record<string, unknown> | undefined): UnknownJudgement | undefined {
  return JudgementSchema.safeParse(context?.['unknownOutcome']).data;
}

/** `CLICK_ELEMENT button "Place order"`. */
export function unknownOutcomeName({ action, what }: UnknownOutcome): string {
  return `${action} ${what}`.trim();
}

/** Describes all that is known, in sentences for the person who decides. */
export function describeUnknownOutcome(unknown: UnknownOutcome): string {
  const { eventDelivered, urlBefore, urlAfter, requests, witnesses, seen: checked, proposedCheck } = unknown;
  const seen = requests.map(
    ({ method, url, status, failure }) => `${method} ${url} ${status ?? failure ?? 'no answer'}`,
  );
  return [
    `Nobody knows whether ${unknownOutcomeName(unknown)} happened, and repeating it could do it twice.`,
    witnesses ??
      (eventDelivered === undefined
        ? 'Its browser was lost with it.'
        : eventDelivered
          ? 'The page has seen its event.'
          : 'The document it was meant for is gone, or was never reached.'),
    urlBefore === urlAfter ? `The page is ${urlAfter}.` : `The page went from ${urlBefore} to ${urlAfter}.`,
    seen.length === 0 ? 'No request was seen since.' : `Requests since: ${seen.join(', ')}.`,
    ...(checked === undefined ? [] : [`The site was looked at, which proved nothing: ${checked}`]),
    ...(proposedCheck === undefined
      ? []
      : [
          `The site may show it: ${proposedCheck.join(', ')}. With ${checkText(proposedCheck)} the step finds out by itself.`,
        ]),
  ].join(' ');
}

/** The lines of a check as a member of a step, to be copied. */
export function checkText(lines: readonly string[]): string {
  return `"check": ${JSON.stringify(lines)}`;
}

/** The command that answers, to be pasted once `yes` or `no` is chosen. */
export function resolveUnknownCommand(sessionId: string, commandId: string): string {
  return `surefoot resolve-unknown ${sessionId} ${commandId} --happened yes|no`;
}
