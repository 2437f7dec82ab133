import { z } from 'zod';
import { enumOf } from '../enum-of';

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

/** The one primary record of a session (S1.1). Its steps are in `metadata.steps` and `metadata.totalSteps` (S1.A4). */
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

const { ACTIVE, PAUSED, COMPLETED, FAILED, CANCELLED, CLEANUP } = SessionStatus;

/** S1.A1: what a status may become. CLEANUP follows an open status only when the session is destroyed, and is final. */
export const STATUS_TRANSITIONS: Readonly<Record<SessionStatus, readonly SessionStatus[]>> = {
  INITIALIZING: [ACTIVE, FAILED, CANCELLED, CLEANUP],
  ACTIVE: [PAUSED, COMPLETED, FAILED, CANCELLED, CLEANUP],
  PAUSED: [ACTIVE, FAILED, CANCELLED, CLEANUP],
  COMPLETED: [CLEANUP],
  FAILED: [CLEANUP],
  CANCELLED: [CLEANUP],
  CLEANUP: [],
};

/** `same` changes nothing and publishes nothing; the store refuses an `illegal` change of every writer. */
export function statusChange(from: SessionStatus, to: SessionStatus): 'same' | 'legal' | 'illegal' {
  if (from === to) return 'same';
  return STATUS_TRANSITIONS[from].includes(to) ? 'legal' : 'illegal';
}

export function isOpen(status: SessionStatus): boolean {
  return OPEN_STATUSES.includes(status);
}
