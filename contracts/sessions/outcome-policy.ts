import { z } from 'zod';

/** What a sign that speaks against a step does: it fails the step, is a warning in the log, or is left alone. */
const Consequence = z.enum(['fail', 'warn', 'ignore']);

/** Which signs of a page speak against a step that all commands of have succeeded. Each fails the step unless it is said otherwise. */
export const OutcomePolicySchema = z.strictObject({
  /** The document, or a request of the step that may change something, was answered with 400 or more, or not at all. */
  httpErrors: Consequence,
  /** A message (alert, status) that appeared and says that something was not done. */
  messages: Consequence,
  /** A click after which the page marks fields as invalid. */
  invalidFields: Consequence,
  /** A confirm() or prompt() that no answer was given for, so it was dismissed. */
  unansweredDialogs: Consequence,
  /** A sign-in page where another address was opened. */
  signInPages: Consequence,
});
export type OutcomePolicy = z.infer<typeof OutcomePolicySchema>;

export const DEFAULT_OUTCOME_POLICY: OutcomePolicy = {
  httpErrors: 'fail',
  messages: 'fail',
  invalidFields: 'fail',
  unansweredDialogs: 'fail',
  signInPages: 'fail',
};
