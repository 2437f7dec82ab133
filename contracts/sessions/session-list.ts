import { z } from 'zod';
import { WaitingForSchema } from '../approvals/waiting-for';
import { PageWaitStateSchema } from './page-wait';
import { SessionStatus, WorkflowSessionSchema } from './session';

/** What a session may wait for that a person decides: an approval, or why it is paused. */
export const WaitsForSchema = z.enum([
  'approval',
  ...WaitingForSchema.options.map(({ shape }) => shape.pausedFor.value),
]);
export type WaitsFor = z.infer<typeof WaitsForSchema>;

/** A session as a list shows it. */
export const ListedSessionSchema = WorkflowSessionSchema.extend({
  title: z.string().meta({ description: 'Its name, or else its first step' }),
  tenant: z.string(),
  currentStep: z.number().meta({ description: 'The step that it is at, from 0' }),
  totalSteps: z.number(),
  waitsFor: WaitsForSchema.optional().meta({ description: 'What a person is asked for; absent where nobody is' }),
  queuePosition: z.number().optional().meta({ description: 'Its place in the queue for a browser, from 1' }),
  notBefore: z.string().optional().meta({ description: 'It has begun at this time, or waits for it' }),
  pageWait: PageWaitStateSchema.optional().meta({
    description: 'It waits on its page, without a browser until the next look',
  }),
  cost: z.string().meta({ description: 'Of its model calls so far, in US dollars' }),
  errorMessage: z.string().optional().meta({ description: 'Why it failed' }),
});
export type ListedSession = z.infer<typeof ListedSessionSchema>;

export const SessionSortSchema = z.enum(['-createdAt', 'createdAt', '-lastActivity', 'lastActivity', 'name', '-name']);
export type SessionSort = z.infer<typeof SessionSortSchema>;

const MAX_SEARCH_LENGTH = 200;

/** `status=ACTIVE&status=PAUSED` and `status=active,paused` are the same. */
function toStatuses(given: unknown): unknown {
  if (given === undefined) return undefined;
  return [given].flat().flatMap((text) => (typeof text === 'string' ? text.toUpperCase().split(',') : [text]));
}

/** Which sessions a list has, and in which order. */
export const SessionFilterSchema = z.object({
  status: z.preprocess(
    (given) => toStatuses(given as string | string[] | undefined),
    z.array(z.enum(SessionStatus)).optional(),
  ),
  waiting: z.enum(['true', 'false']).optional().meta({ description: '`true`: only those that wait for a person' }),
  q: z.string().max(MAX_SEARCH_LENGTH).optional().meta({
    description: 'Only those with this text in the name or the first step, or at the beginning of the id',
  }),
  sort: SessionSortSchema.optional().meta({ description: 'The newest first (`-createdAt`) where it is left out' }),
});
export type SessionFilter = z.infer<typeof SessionFilterSchema>;
