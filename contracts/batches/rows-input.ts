import { z } from 'zod';

export const MAX_ROWS = 100_000;

/** The formats of results. */
export const RowsFormatSchema = z.enum(['csv', 'jsonl']);
export type RowsFormat = z.infer<typeof RowsFormatSchema>;

/** The formats of a file of rows. */
export const RowsFileFormatSchema = z.enum([...RowsFormatSchema.options, 'xlsx']);
export type RowsFileFormat = z.infer<typeof RowsFileFormatSchema>;

const SheetNameSchema = z.string().min(1).optional();
const EXPECTED =
  'expected a list of objects, {"csv": "invoice,amount\\n4711,30"}, {"jsonl": …}, {"xlsx": …} in base64, or {"file": "file_…"} with the id of an uploaded file';

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
  z.strictObject({ xlsx: z.base64('expected an .xlsx file in base64'), sheet: SheetNameSchema }),
  z.strictObject({ file: z.string(), format: RowsFileFormatSchema.optional(), sheet: SheetNameSchema }),
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
