import { z } from 'zod';

/** S3.A6: what a tool call may do to the world, for the person who is asked. */
export const ToolClassificationSchema = z.enum(['read', 'write', 'destructive', 'external']);
export type ToolClassification = z.infer<typeof ToolClassificationSchema>;
