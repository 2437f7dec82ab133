import { z } from 'zod';

/** S1.39: one stored screenshot; `filePath` is relative to the artifact folder, `thumbnailPath` an address of the API; sizes in pixels and bytes. */
export const ScreenshotInfoSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  stepIndex: z.number().optional(),
  commandId: z.string().optional(),
  actionType: z.string(),
  timestamp: z.coerce.date(),
  filePath: z.string(),
  thumbnailPath: z.string().optional(),
  dimensions: z.object({ width: z.number(), height: z.number() }),
  fileSize: z.number(),
  metadata: z.record(z.string(), z.any()).optional(),
});
export type ScreenshotInfo = z.infer<typeof ScreenshotInfoSchema>;

/** S1.40: one saved variable; the value is always a string. */
export const VariableInfoSchema = z.object({
  name: z.string(),
  value: z.string(),
  previousValue: z.string().optional(),
  timestamp: z.coerce.date(),
  sessionId: z.string(),
  stepIndex: z.number().optional(),
  source: z.enum(['user_input', 'extracted', 'computed']),
});
export type VariableInfo = z.infer<typeof VariableInfoSchema>;

/** S1.41: one visit of a page; `loadTime` in milliseconds. */
export const PageInfoSchema = z.object({
  url: z.string(),
  title: z.string(),
  timestamp: z.coerce.date(),
  sessionId: z.string(),
  stepIndex: z.number().optional(),
  loadTime: z.number().optional(),
  metadata: z.record(z.string(), z.any()).optional(),
});
export type PageInfo = z.infer<typeof PageInfoSchema>;

/** Shown in place of any value that came from the environment or a password field. */
export const SECRET_MARK = '[secret]';
