import { z } from 'zod';

/** The result of one small call of a model, which `surefoot doctor --model` prints. */
export const ModelCheckSchema = z.discriminatedUnion('isGood', [
  z.object({
    model: z.string(),
    isGood: z.literal(true),
    latencyMs: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** US dollars; absent for a model whose price is not known. */
    cost: z.string().optional(),
  }),
  z.object({
    model: z.string(),
    isGood: z.literal(false),
    message: z.string(),
    suggestedAction: z.string().optional(),
  }),
]);
export type ModelCheck = z.infer<typeof ModelCheckSchema>;
