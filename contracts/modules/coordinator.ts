import { z } from 'zod';
import { enumOf } from '../enum-of';
import type { WorkflowConfig } from '../sessions/config';
import type { ISessionManager } from './module-sessions';
import { SessionStatus, type WorkflowSession } from '../sessions/session';

/** S1.10. */
export interface WorkflowSessionCallback {
  (session: WorkflowSession): Promise<void>;
}

/** S1.11. */
export interface ModuleSessionLinkCallback {
  (workflowSessionId: string, moduleId: string, moduleSessionId: string): Promise<void>;
}

/** S1.12. */
export const CoordinatorHealthSchema = z.object({
  totalWorkflowSessions: z.number(),
  activeWorkflowSessions: z.number(),
  registeredModules: z.array(z.string()),
  moduleHealthStatus: z.record(z.string(), z.boolean()),
  lastHealthCheck: z.coerce.date(),
});
export type CoordinatorHealth = z.infer<typeof CoordinatorHealthSchema>;

/** S1.13: the links of a workflow session to its modules, and the problems with them. */
export const SessionIntegrityReportSchema = z.object({
  workflowSessionId: z.string(),
  isValid: z.boolean(),
  linkedModules: z.array(z.string()),
  missingLinks: z.array(z.string()),
  /** Module id to the id of a module session that no workflow session is linked to. */
  orphanedSessions: z.record(z.string(), z.string()),
  /** Module id to the status that is not the one of the workflow session. */
  inconsistentStatuses: z.record(z.string(), enumOf<SessionStatus>(SessionStatus)),
  recommendations: z.array(z.string()),
});
export type SessionIntegrityReport = z.infer<typeof SessionIntegrityReportSchema>;

/** S1.9: creates, links and tears down what belongs to one workflow session, together. */
export interface SessionCoordinator {
  createWorkflowSession(steps: string[], config?: WorkflowConfig): Promise<WorkflowSession>;
  destroyWorkflowSession(sessionId: string): Promise<void>;
  getWorkflowSession(sessionId: string): WorkflowSession | null;
  listActiveWorkflowSessions(): string[];
  registerModule(moduleId: string, sessionManager: ISessionManager): void;
  unregisterModule(moduleId: string): void;
  getModuleSessionManager(moduleId: string): ISessionManager | null;
  linkModuleSession(workflowSessionId: string, moduleId: string, moduleSessionId: string): Promise<void>;
  unlinkModuleSession(workflowSessionId: string, moduleId: string): Promise<void>;
  getLinkedSessions(workflowSessionId: string): Record<string, string>;
  onWorkflowSessionCreated(callback: WorkflowSessionCallback): void;
  onWorkflowSessionDestroyed(callback: WorkflowSessionCallback): void;
  onModuleSessionLinked(callback: ModuleSessionLinkCallback): void;
  getCoordinatorHealth(): Promise<CoordinatorHealth>;
  validateSessionIntegrity(sessionId: string): Promise<SessionIntegrityReport>;
}
