import { z } from 'zod';

/** As what recipes leave Surefoot: a test for Playwright's runner, steps for `surefoot run`, or a file to import again. */
export const ExportFormatSchema = z.enum(['playwright', 'steps', 'json']);
export type ExportFormat = z.infer<typeof ExportFormatSchema>;
