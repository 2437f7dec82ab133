import { z } from 'zod';

/** S3.1: `index` counts the fragments of the whole execution from 0 (S3.A4). */
export const TokenDeltaEventSchema = z.object({
  type: z.literal('token_delta'),
  data: z.object({ content: z.string(), index: z.number() }),
});
export type TokenDeltaEvent = z.infer<typeof TokenDeltaEventSchema>;

/** S3.2; `call_id` is an addition that readers may ignore (S3.A3). */
export const ToolCallEventSchema = z.object({
  type: z.literal('tool_call'),
  data: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});
export type ToolCallEvent = z.infer<typeof ToolCallEventSchema>;

/** S3.3. */
export const ToolResultEventSchema = z.object({
  type: z.literal('tool_result'),
  data: z.object({ name: z.string(), summary: z.string() }),
});
export type ToolResultEvent = z.infer<typeof ToolResultEventSchema>;

/** S3.4: `iteration` from 1, `tokens` in and out of that iteration (S3.A5). */
export const IterationCompleteEventSchema = z.object({
  type: z.literal('iteration_complete'),
  data: z.object({ iteration: z.number(), tokens: z.number() }),
});
export type IterationCompleteEvent = z.infer<typeof IterationCompleteEventSchema>;

/** S3.5: `classification` is open; ours are those of ToolClassification (S3.A6). */
export const ApprovalRequiredEventSchema = z.object({
  type: z.literal('approval_required'),
  data: z.object({
    tool_name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    classification: z.string(),
  }),
});
export type ApprovalRequiredEvent = z.infer<typeof ApprovalRequiredEventSchema>;

/** S3.6: `total_credits` is a plain decimal (S3.A9). */
export const DoneEventSchema = z.object({
  type: z.literal('done'),
  data: z.object({ status: z.string(), total_tokens: z.number(), total_credits: z.string() }),
});
export type DoneEvent = z.infer<typeof DoneEventSchema>;

/** S3.7: `error_type` is open; ours are those of S3.A11. */
export const ErrorEventSchema = z.object({
  type: z.literal('error'),
  data: z.object({ error_type: z.string(), message: z.string() }),
});
export type ErrorEvent = z.infer<typeof ErrorEventSchema>;

/** S3.8. */
export const ExecutionEventSchema = z.discriminatedUnion('type', [
  TokenDeltaEventSchema,
  ToolCallEventSchema,
  ToolResultEventSchema,
  IterationCompleteEventSchema,
  ApprovalRequiredEventSchema,
  DoneEventSchema,
  ErrorEventSchema,
]);
export type ExecutionEvent = z.infer<typeof ExecutionEventSchema>;
