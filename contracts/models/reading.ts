import { z } from 'zod';
import type { AIResponse } from './ai-response';

/**
 * Who reads a plain step: `rules`; a model, in one short call, in the words of `rules`; or `rules` and then the model. What
 * can't be read so is led by the model, as every step is where a session says nothing and its list of models does not begin
 * with `rules`.
 */
export const ReadingSchema = z.enum(['rules', 'model', 'both']).meta({
  description:
    'Who reads a plain step: the rules, the model in one short call in their words, or one after the other; what they can not read is led by the model',
});
export type Reading = z.infer<typeof ReadingSchema>;

/** What a model can take: of a `small` one its sessions are read as with `both`, one short decision at a time. */
export const MODEL_PROFILES = ['full', 'small'] as const;
export type ModelProfile = (typeof MODEL_PROFILES)[number];

/** Of one call of a step: the model is to say the step in the words of `rules`, or `rules` follow what it has said. */
export type ReadingTurn = 'wanted' | 'followed';

/** Member of a reply's context: the step in the words of `rules`. */
const READING = 'reading';
/** Member of a reply's context: `rules` could not read the step, and have done nothing about it in this call. */
const UNREAD = 'unread';

/** Member of a reply's context: steps that `rules` read on this page in place of the one that is refused. */
const PROPOSALS = 'proposals';
const ProposalsSchema = z.array(z.string()).min(1);

type Context = AIResponse['context'];

export function withReading(reply: AIResponse, step: string): AIResponse {
  return { ...reply, context: { ...reply.context, [READING]: step } };
}

export function readingIn(context: Context): string | undefined {
  const step = context?.[READING];
  return typeof step === 'string' ? step : undefined;
}

export function asUnread(reply: AIResponse): AIResponse {
  return { ...reply, context: { ...reply.context, [UNREAD]: true } };
}

export function isUnread(context: Context): boolean {
  return context?.[UNREAD] === true;
}

export function withProposals(reply: AIResponse, steps: readonly string[]): AIResponse {
  return { ...reply, context: { ...reply.context, [PROPOSALS]: steps } };
}

/** Reads them from a reply's context, or from the details of the error that the step ended with. */
export function proposalsIn(some: Readonly<Record<string, unknown>> | undefined): string[] | undefined {
  return ProposalsSchema.safeParse(some?.[PROPOSALS]).data;
}
