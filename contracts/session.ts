import { z } from 'zod';
import { enumOf } from './enum-of';

/** The single lifecycle of a session (S1.2). Wire value equals the member name. */
export enum SessionStatus {
  INITIALIZING = 'INITIALIZING',
  ACTIVE = 'ACTIVE',
  PAUSED = 'PAUSED',
  COMPLETED = 'COMPLETED',
  FAILED = 'FAILED',
  CANCELLED = 'CANCELLED',
  CLEANUP = 'CLEANUP',
}

/** The one primary record of a session (S1.1). Its steps stand in `metadata.steps` and `metadata.totalSteps` (S1.A4). */
export const WorkflowSessionSchema = z.object({
  sessionId: z.uuid(),
  executorSessionId: z.string(),
  streamId: z.string().optional(),
  aiConnectionId: z.string(),
  createdAt: z.coerce.date(),
  lastActivity: z.coerce.date(),
  status: enumOf<SessionStatus>(SessionStatus),
  metadata: z.record(z.string(), z.any()).optional(),
});
export type WorkflowSession = z.infer<typeof WorkflowSessionSchema>;

/** A session that may still act: what lists and health call active (S1.A1). */
export const OPEN_STATUSES: readonly SessionStatus[] = [
  SessionStatus.INITIALIZING,
  SessionStatus.ACTIVE,
  SessionStatus.PAUSED,
];

export function isOpen(status: SessionStatus): boolean {
  return OPEN_STATUSES.includes(status);
}
