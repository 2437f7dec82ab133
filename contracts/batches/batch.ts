import { z } from 'zod';
import { FailureReportSchema, MailDeliverySchema } from '../sessions/failure-report';
import { StartRequestSchema } from '../sessions/start-request';
import { RowsInputSchema } from './rows-input';

const DEFAULT_CONCURRENCY = 10;
const MAX_CONCURRENCY = 500;

/** The name of a batch; names of its sessions begin with it. */
export const BatchIdSchema = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'expected 1 to 100 letters, digits, dots, dashes and underscores');

/** No batch has a colon in its name, so no batch's workflow has the id of another's row. */
export function batchWorkflowId(batchId: string): string {
  return `batch:${batchId}`;
}

/** Derived, so that a row is started once, whoever starts it. Each further attempt at a row is a session of its own. */
export function rowWorkflowId(batchId: string, row: number, attempt: number): string {
  return attempt === 1 ? `${batchId}:${row}` : `${batchId}:${row}:${attempt}`;
}

/** Body of `POST /v1/batches`. Each row is a session of `request`, with its columns as variables. */
export const BatchRequestSchema = z.strictObject({
  id: BatchIdSchema.optional().meta({
    description: 'Its name, with which the names of its sessions begin; made up where it is left out',
    example: 'invoices-may',
  }),
  rows: RowsInputSchema,
  request: StartRequestSchema.meta({ description: 'What each row starts: the body of `POST /v1/sessions`' }),
  concurrency: z
    .int()
    .min(1)
    .max(MAX_CONCURRENCY)
    .default(DEFAULT_CONCURRENCY)
    .meta({ description: 'How many of its sessions are open at once' }),
  originConcurrency: z.int().min(1).max(MAX_CONCURRENCY).optional().meta({
    description:
      'How many rows are open at once at one origin, that of the first address in the steps; rows of all batches of the tenant count',
  }),
  paused: z.boolean().optional().meta({ description: 'Starts nothing before it is resumed' }),
  report: FailureReportSchema.optional().meta({ description: 'Who gets a mail when it has ended with failed rows' }),
});
export type BatchRequest = z.infer<typeof BatchRequestSchema>;
export type BatchInput = z.input<typeof BatchRequestSchema>;

/** `cancelling`: its open sessions are still ending. */
export const BatchStateSchema = z.enum(['running', 'paused', 'cancelling', 'cancelled', 'completed']);
export type BatchState = z.infer<typeof BatchStateSchema>;

/**
 * `invalid`: it can't be started, and `reason` says why. `already-done`: its session completed, and found something that is to
 * happen once done by another.
 */
export const RowStateSchema = z.enum([
  'waiting',
  'running',
  'completed',
  'already-done',
  'failed',
  'cancelled',
  'invalid',
]);
export type RowState = z.infer<typeof RowStateSchema>;

/** States in which nothing comes any more of a row. */
export const ENDED_ROW_STATES = RowStateSchema.options.filter((state) => state !== 'waiting' && state !== 'running');
/** States of rows with which a batch is reported to have failed. */
export const FAILED_ROW_STATES = ['failed', 'invalid'] as const satisfies readonly RowState[];
/** Of these a retry makes another attempt. */
export const RETRIED_ROW_STATES: readonly RowState[] = ['failed', 'cancelled'];

const RowCountsSchema = z.object(
  Object.fromEntries(RowStateSchema.options.map((state) => [state, z.number()])) as Record<RowState, z.ZodNumber>,
);
export type RowCounts = z.infer<typeof RowCountsSchema>;

export const BatchSchema = z.object({
  id: z.string(),
  tenant: z.string(),
  /** What people call its sessions: the name in its request. */
  name: z.string().optional(),
  state: BatchStateSchema,
  /** Why it is paused, where nobody has asked for that. */
  note: z.string().optional(),
  concurrency: z.number(),
  originConcurrency: z.number().optional(),
  total: z.number(),
  /** How many rows are in each state. */
  rows: RowCountsSchema,
  /** What became of the mails of `report`. */
  mails: z.array(MailDeliverySchema),
  createdAt: z.coerce.date(),
  endedAt: z.coerce.date().optional(),
});
export type Batch = z.infer<typeof BatchSchema>;

/** A row with what came of it so far. */
export const BatchRowSchema = z.object({
  /** From 1, in the order of the file. */
  row: z.number(),
  state: RowStateSchema,
  variables: z.record(z.string(), z.string()),
  /** Of its newest attempt. */
  sessionId: z.string().optional(),
  attempt: z.number(),
  /** Why it is invalid, has failed or was done already. */
  reason: z.string().optional(),
  /** What its session returned. */
  result: z.unknown().optional(),
  endedAt: z.coerce.date().optional(),
  /** Grows with each end of a row of the batch. */
  position: z.number().optional(),
});
export type BatchRow = z.infer<typeof BatchRowSchema>;

const MOST_ROWS_AT_ONCE = 1000;

/** Which rows of a batch are read, by number. */
export const BatchRowQuerySchema = z.object({
  state: z
    .union([RowStateSchema, z.literal('ended')])
    .optional()
    .meta({ description: 'Those in this state; `ended`: of which nothing comes any more' }),
  after: z.coerce.number().int().min(0).optional().meta({ description: 'Those behind this row' }),
  endedAfter: z.coerce.number().int().min(0).optional().meta({
    description:
      'Those that have ended behind the row of this `position`, in the order of their ends: none is missed, none comes twice',
  }),
  limit: z.coerce.number().int().min(1).max(MOST_ROWS_AT_ONCE).optional().meta({
    description: '100 where it is left out',
  }),
});
export type BatchRowQuery = z.infer<typeof BatchRowQuerySchema>;

/** Of a retry: how many rows are run again. */
export const RetriedRowsSchema = z.object({ retried: z.number() });
