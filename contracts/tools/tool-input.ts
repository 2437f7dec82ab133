import { z } from 'zod';

export const ToolInputSchema = z.record(z.string(), z.unknown());
export type ToolInput = z.infer<typeof ToolInputSchema>;
