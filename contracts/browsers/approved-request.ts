import { z } from 'zod';

/** A request that a page would send, with the values of its address and its body, each under its path in them. */
export const ApprovedRequestSchema = z.object({
  method: z.string(),
  url: z.string(),
  values: z.array(z.tuple([z.string(), z.string()])),
});
export type ApprovedRequest = z.infer<typeof ApprovedRequestSchema>;

const EntrySchema = z.tuple([z.string(), z.string()]);

/** What a person has approved that leaves the page while one command runs. It holds what is typed into the page: never log it. */
export const ApprovedDeedSchema = z.strictObject({
  commandId: z.string(),
  /** Where a form or a link leads, with its method. */
  submits: z.strictObject({ method: z.string(), url: z.string() }).optional(),
  /** What the form would send. */
  entries: z.array(EntrySchema),
  /** Names of its values that are drawn anew by chance. */
  nonces: z.array(z.string()),
  /** Fields by what they are called, with their values. */
  fields: z.array(EntrySchema),
  /** Texts that the person was shown, or that the page held around the element. */
  shown: z.array(z.string()),
  /** The request that the person was asked about, after another one was refused. */
  request: ApprovedRequestSchema.optional(),
});
export type ApprovedDeed = z.infer<typeof ApprovedDeedSchema>;

/** What became of the requests while the command ran. */
export const DeedReportSchema = z.object({
  commandId: z.string(),
  /** How many left that may have changed something. */
  sent: z.number(),
  /** The first that was not what was approved: it was not sent. */
  refused: z.object({ request: ApprovedRequestSchema, reasons: z.array(z.string()) }).optional(),
  /** The first that was sent over a WebSocket, which nobody can hold, and was not what was approved. */
  overSocket: z.object({ request: ApprovedRequestSchema, reasons: z.array(z.string()) }).optional(),
});
export type DeedReport = z.infer<typeof DeedReportSchema>;
