import { z } from 'zod';

/** S1.62. */
export const APIErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.any()).optional(),
  retryable: z.boolean(),
  timestamp: z.iso.datetime(),
});
export type APIError = z.infer<typeof APIErrorSchema>;

export const APIMetadataSchema = z.object({
  timestamp: z.iso.datetime(),
  requestId: z.string(),
  version: z.string(),
  processingTimeMs: z.number(),
});

/** S1.61: the envelope of every answer: `data` when it worked, `error` when it did not. */
// oxlint-disable-next-line typescript/no-explicit-any -- the default of S1.61.
export interface APIResponse<T = any> {
  success: boolean;
  data?: T | undefined;
  error?: APIError | undefined;
  metadata?: z.infer<typeof APIMetadataSchema> | undefined;
}

/** S1.63: the envelope of a list; `page` counts from 1 (S1.A22). */
export interface PaginatedResponse<T> extends APIResponse<T[]> {
  pagination: z.infer<typeof PaginationSchema>;
}

/** S1.61 for the schema of its `data`. */
export function apiResponseSchema<T extends z.ZodType>(data: T) {
  return z.object({
    success: z.boolean(),
    data: data.optional(),
    error: APIErrorSchema.optional(),
    metadata: APIMetadataSchema.optional(),
  });
}

export const PaginationSchema = z.object({
  total: z.number(),
  page: z.number(),
  pageSize: z.number(),
  hasNext: z.boolean(),
  hasPrevious: z.boolean(),
});

export function paginatedResponseSchema<T extends z.ZodType>(item: T) {
  return apiResponseSchema(z.array(item)).extend({ pagination: PaginationSchema });
}

export const DEFAULT_PAGE_SIZE = 50;
