import { z } from 'zod';

/**
 * What keeps a session's browser apart from those of others: a Chrome of its own, or a browser context of its own in a Chrome
 * that it shares with other sessions of its tenant.
 */
export const IsolationSchema = z.enum(['process', 'context']);
export type Isolation = z.infer<typeof IsolationSchema>;
