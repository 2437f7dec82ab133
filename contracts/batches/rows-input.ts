import { z } from 'zod';

export const MAX_ROWS = 100_000;

/** The formats of a file of rows. */
export const RowsFormatSchema = z.enum(['csv', 'jsonl']);
export type RowsFormat = z.infer<typeof RowsFormatSchema>;

const EXPECTED =
  'expected a list of objects, {"csv": "invoice,amount\\n4711,30"}, {"jsonl": …}, or {"file": "file_…"} with the id of an uploaded file';

/**
 * Rows as they are given. What is wrong with one row is no matter of the schema: that row alone is not started. A list holds
 * what a file of JSON lines holds.
 */
export const RowsInputSchema = z.union([
  z
    .array(z.unknown(), EXPECTED)
    .min(1, 'a batch needs at least one row')
    .max(MAX_ROWS, `a batch takes at most ${MAX_ROWS} rows`),
  z.strictObject({ csv: z.string() }),
  z.strictObject({ jsonl: z.string() }),
  z.strictObject({ file: z.string(), format: RowsFormatSchema.optional() }),
]);
export type RowsInput = z.infer<typeof RowsInputSchema>;

/** A row of a batch: its variables, and why it can't be started, if so. */
export interface ParsedRow {
  variables: Record<string, string>;
  problem?: string;
  /** Where it begins. */
  origin?: string | undefined;
}

/** A list of rows, and the names of their variables in order. */
export interface ParsedRows {
  columns: string[];
  rows: ParsedRow[];
}
