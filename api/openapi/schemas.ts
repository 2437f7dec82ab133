import { z } from 'zod';
import { PageWaitStateSchema } from '../../contracts/sessions/page-wait';
import { apiResponseSchema } from '../../contracts/api';
import { PendingQuestionSchema } from '../../contracts/approvals/approval';
import { AgentFrameSchema } from '../../contracts/events/formats/agent';
import { ExecutionFrameSchema } from '../../contracts/events/formats/execution';
import { StepsFrameSchema } from '../../contracts/events/formats/steps';
import { TaskLoopEventSchema } from '../../contracts/events/task-loop';
import { BudgetSchema, WaitingForBudgetSchema } from '../../contracts/models/budget';
import { MailDeliverySchema } from '../../contracts/sessions/failure-report';
import { WebhookDeliverySchema } from '../../contracts/sessions/webhook';
import { StandardErrorSchema } from '../../contracts/errors/standard-error';
import { StreamEventSchema } from '../../contracts/events/stream-event';
import { WaitingForLookSchema, WaitingForMessageSchema } from '../../contracts/approvals/waiting-for';
import { GivenRequestSchema } from '../../contracts/sessions/given-request';
import { StepProcessingResultSchema } from '../../contracts/sessions/processing';
import { MessageReceiptSchema } from '../../contracts/messages/control-message';
import { ExecutionProgressSchema } from '../../contracts/sessions/progress';
import { VariableInfoSchema } from '../../contracts/sessions/resources';
import { SessionStatus, WorkflowSessionSchema } from '../../contracts/sessions/session';
import { StepResultSchema } from '../../contracts/steps/step-result';
import { WaitingForSecretSchema } from '../../contracts/approvals/asked-secret';
import { WaitingForUnknownSchema } from '../../contracts/approvals/unknown-outcome';
import { SessionUsageSchema } from '../../contracts/models/usage';
import { SESSION_ID } from './examples';

const LinksSchema = z.object({
  self: z.string(),
  events: z.string().meta({ description: 'Pages of the event log, as JSON' }),
  stream: z.string().optional().meta({
    description: 'The same address, for a client that accepts text/event-stream; absent where there is no stream',
  }),
  screenshots: z.string(),
  temporal: z.string().optional().meta({ description: 'The session in the Temporal UI, where that is known' }),
  docs: z.string(),
});

/** S1.27 with what else a caller wants to know. */
export const StartedSchema = StepProcessingResultSchema.extend({
  sessionId: z.uuid(),
  streamId: z.string().optional().meta({ description: 'Absent with `enableStreaming: false`' }),
  status: z.enum(SessionStatus),
  isNew: z.boolean().meta({ description: 'False when the Idempotency-Key named a session that existed already' }),
  totalSteps: z.number(),
  warnings: z.array(z.string()),
  links: LinksSchema,
});

const answerFields = {
  message: z.string().meta({ description: 'What is known, in words' }),
  answerWith: z
    .object({ cli: z.string(), rest: z.string() })
    .meta({ description: 'Both ways to answer, to be pasted' }),
};
const WaitingForAnswerSchema = z.discriminatedUnion('pausedFor', [
  WaitingForUnknownSchema.extend(answerFields),
  WaitingForSecretSchema.extend(answerFields),
  WaitingForBudgetSchema.extend(answerFields),
  WaitingForMessageSchema.extend(answerFields),
  WaitingForLookSchema.extend(answerFields),
]);

export const SessionDetailsSchema = z.object({
  title: z.string().meta({ description: 'Its name, or else its first step' }),
  session: WorkflowSessionSchema,
  request: GivenRequestSchema.meta({ description: 'Steps and tasks as they were given, every default filled in' }),
  answer: z.union([z.string(), z.null()]).meta({ description: 'What the newest task that has ended answers' }),
  result: z.unknown().meta({
    description: 'The value of the newest complete result; null where there is none. `/result` has its sources too',
  }),
  progress: ExecutionProgressSchema,
  stepResults: z.array(StepResultSchema),
  variables: z.array(VariableInfoSchema),
  error: z.union([StandardErrorSchema, z.null()]),
  webhook: z.union([WebhookDeliverySchema, z.null()]).meta({
    description:
      'What became of the delivery to `config.webhook` of the end, or of the newest question; null where the request names none',
  }),
  mails: z.array(MailDeliverySchema).meta({ description: 'What became of the mails of `config.report`' }),
  waitingFor: z.union([WaitingForAnswerSchema, z.null()]),
  approvals: z.array(PendingQuestionSchema).meta({ description: 'Calls that wait for a person' }),
  usage: SessionUsageSchema,
  budget: z.union([BudgetSchema, z.null()]).meta({ description: 'What it may use; null where there is no limit' }),
  workflowId: z.string(),
  lastSeq: z.number(),
  notBefore: z.string().optional().meta({ description: 'The session has begun at this time, or waits for it' }),
  queuePosition: z.number().optional().meta({
    description: 'Its place among the sessions that wait for a browser, from 1; absent when it does not wait',
  }),
  pageWait: PageWaitStateSchema.optional().meta({
    description: 'It waits on its page, without a browser until the next look',
  }),
  links: LinksSchema,
});

export const ReceiptSchema = MessageReceiptSchema.extend({
  messageState: MessageReceiptSchema.shape.messageState.meta({
    description: '`pending`: it is stored, and the session gets it as soon as a worker runs',
  }),
});

export const SequencedEventSchema = StreamEventSchema.extend({ seq: z.number() });

const seq = { seq: z.number() };
/** An item of a page, in the requested format. */
const PageItemSchema = z.union([
  SequencedEventSchema,
  AgentFrameSchema.extend(seq),
  z.union(ExecutionFrameSchema.options.map((option) => option.extend(seq))),
  z.union(StepsFrameSchema.options.map((option) => option.extend(seq))),
  TaskLoopEventSchema.extend(seq),
]);

export const EventPageSchema = apiResponseSchema(z.array(PageItemSchema)).extend({
  nextAfter: z.number().meta({ description: 'Give it as `after` to go on' }),
  hasMore: z.boolean().meta({ description: 'More events lie in the log already' }),
  isEnded: z.boolean().meta({ description: 'The log is complete and this page reaches its end' }),
});

export const HealthSchema = z.object({
  status: z.literal('ok'),
  store: z.object({ state: z.literal('up') }),
  temporal: z.object({ state: z.literal('up') }),
});

export const SessionParams = z.object({
  id: z.string().meta({ description: 'Id of the session', example: SESSION_ID }),
});

/** Every POST takes one. */
export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .meta({
      description:
        'The same key with the same request is the same request: it is carried out once, and its answer has ' +
        '`Idempotency-Replayed: true`. With another request it is refused (422).',
    }),
});
