import { z } from 'zod';

/** Where one value was read: the address of the page, the node, and its text before it became a number or a boolean. */
export const ResultSourceSchema = z.object({
  path: z.string().meta({ description: 'JSON pointer of the value in the result, such as /0/price' }),
  url: z.string(),
  selector: z.string().meta({ description: 'CSS selector of the node' }),
  text: z.string(),
  attribute: z.string().optional().meta({ description: 'Present where the value is an attribute: href, src' }),
  ref: z.string().optional().meta({ description: 'The ref by which a model chose the node' }),
});
export type ResultSource = z.infer<typeof ResultSourceSchema>;

/** One page that was read; `seen` counts the repeated rows on it, `returned` those that are in the result. */
export const ResultPageSchema = z.object({
  url: z.string(),
  status: z.number().optional().meta({ description: 'HTTP status with which the page was answered' }),
  seen: z.number(),
  returned: z.number(),
});
export type ResultPage = z.infer<typeof ResultPageSchema>;

/** What is missing of a result. `path`: JSON pointer of the value; absent where rows or pages are missing. */
export const ResultGapSchema = z.object({
  message: z.string(),
  path: z.string().optional(),
  url: z.string().optional(),
});
export type ResultGap = z.infer<typeof ResultGapSchema>;

/** The result of a step. One that is incomplete has what was read and names what is missing. */
export const SessionResultSchema = z.object({
  stepIndex: z.number(),
  isComplete: z.boolean(),
  value: z.unknown().meta({ description: 'Valid under the schema where the result is complete' }),
  schema: z.record(z.string(), z.unknown()),
  rows: z.object({ seen: z.number(), returned: z.number() }),
  pages: z.array(ResultPageSchema),
  sources: z.array(ResultSourceSchema),
  missing: z.array(ResultGapSchema),
});
export type SessionResult = z.infer<typeof SessionResultSchema>;

/** What the workflow knows of a complete result; a large value is in the store alone. */
export interface ResultSummary {
  stepIndex: number;
  rows: number;
  bytes: number;
  value?: unknown;
}
