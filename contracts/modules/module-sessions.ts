import { z } from 'zod';
import { enumOf } from '../enum-of';
import { StandardErrorSchema, type StandardError } from '../errors/standard-error';
import { SessionStatus } from '../sessions/session';

/** S1.A16: the modules of the system, each with a session of its own for every workflow session. */
export const MODULE_IDS = [
  'step-processor',
  'task-loop',
  'executor',
  'executor-streamer',
  'ai-integration',
  'ai-context-manager',
  'ai-schema-manager',
  'ai-prompt-manager',
  'frontend-api',
] as const;

/** S1.4: the session that a module keeps for a workflow. */
export const ModuleSessionInfoSchema = z.object({
  moduleId: z.string(),
  sessionId: z.string(),
  linkedWorkflowSessionId: z.string(),
  status: enumOf<SessionStatus>(SessionStatus),
  createdAt: z.coerce.date(),
  lastActivity: z.coerce.date(),
  metadata: z.record(z.string(), z.any()).optional(),
});
export type ModuleSessionInfo = z.infer<typeof ModuleSessionInfoSchema>;

/** S1.6. */
export const ModuleSessionConfigSchema = z.strictObject({
  timeoutMs: z.number().positive().optional(),
  retryAttempts: z.int().min(0).optional(),
  metadata: z.record(z.string(), z.any()).optional(),
});
export type ModuleSessionConfig = z.infer<typeof ModuleSessionConfigSchema>;

/** S1.7: the callbacks of a module for changes of its sessions. */
export interface SessionLifecycleCallbacks {
  onSessionCreated?(moduleId: string, workflowSessionId: string, moduleSessionId: string): Promise<void>;
  onSessionStatusChanged?(
    moduleId: string,
    workflowSessionId: string,
    oldStatus: SessionStatus,
    newStatus: SessionStatus,
  ): Promise<void>;
  onSessionDestroyed?(moduleId: string, workflowSessionId: string): Promise<void>;
  onSessionError?(moduleId: string, workflowSessionId: string, error: StandardError): Promise<void>;
}

/** S1.8. */
export const SessionManagerHealthSchema = z.object({
  moduleId: z.string(),
  isHealthy: z.boolean(),
  activeSessions: z.number(),
  totalSessions: z.number(),
  errors: z.array(StandardErrorSchema),
  lastHealthCheck: z.coerce.date(),
});
export type SessionManagerHealth = z.infer<typeof SessionManagerHealthSchema>;

/** S1.5: every look-up takes the id of the workflow session; the module's own is only what `createSession` resolves to (S1.R3). */
export interface ISessionManager {
  readonly moduleId: string;
  createSession(workflowSessionId: string, config?: ModuleSessionConfig): Promise<string>;
  destroySession(workflowSessionId: string): Promise<void>;
  getSession(workflowSessionId: string): ModuleSessionInfo | null;
  sessionExists(workflowSessionId: string): boolean;
  updateSessionStatus(workflowSessionId: string, status: SessionStatus): Promise<void>;
  getSessionStatus(workflowSessionId: string): SessionStatus | null;
  recordActivity(workflowSessionId: string): Promise<void>;
  getLastActivity(workflowSessionId: string): Date | null;
  setLifecycleCallbacks(callbacks: SessionLifecycleCallbacks): void;
  healthCheck(): Promise<SessionManagerHealth>;
}
