import { z } from 'zod';

/** A request that a page would send, with the values of its address and its body, each under its path in them. */
export const ApprovedRequestSchema = z.object({
  method: z.string(),
  url: z.string(),
  values: z.array(z.tuple([z.string(), z.string()])),
});
export type ApprovedRequest = z.infer<typeof ApprovedRequestSchema>;
