import { z } from 'zod';

/** Chromium is kept over the DevTools protocol and outlives its worker; the others are driven by Playwright's own launch. */
export const BrowserTypeSchema = z.enum(['chromium', 'firefox', 'webkit']);
export type BrowserType = z.infer<typeof BrowserTypeSchema>;
