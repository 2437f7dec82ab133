/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import { WorkflowConfigSchema, type WorkflowConfig } from '../../contracts/sessions/config';
import type {
  AIProcessingConfig,
  ExecutorProcessingConfig,
  StreamProcessingConfig,
} from '../../contracts/sessions/config';
import {
  CoordinatorHealthSchema,
  SessionIntegrityReportSchema,
  type CoordinatorHealth,
  type ModuleSessionLinkCallback,
  type SessionCoordinator,
  type SessionIntegrityReport,
  type WorkflowSessionCallback,
} from '../../contracts/modules/coordinator';
import type { StandardError } from '../../contracts/errors/standard-error';
import {
  MODULE_IDS,
  ModuleSessionConfigSchema,
  ModuleSessionInfoSchema,
  SessionManagerHealthSchema,
  type ISessionManager,
  type ModuleSessionConfig,
  type ModuleSessionInfo,
  type SessionLifecycleCallbacks,
  type SessionManagerHealth,
} from '../../contracts/modules/module-sessions';
import { SessionStatus, WorkflowSessionSchema, type WorkflowSession } from '../../contracts/sessions/session';
import { aStandardError, AT, AI_CONFIG, EXECUTOR_CONFIG, STREAM_CONFIG, UUID } from './samples';
import { faultsOf, proveSame } from './prove';

test('[S1.1] WorkflowSession has the members of the contract, and its id is a UUID', () => {
  expect(
    proveSame<
      WorkflowSession,
      {
        sessionId: string;
        executorSessionId: string;
        streamId?: string | undefined;
        aiConnectionId: string;
        createdAt: Date;
        lastActivity: Date;
        status: SessionStatus;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = {
    sessionId: UUID,
    executorSessionId: 'e',
    streamId: 's',
    aiConnectionId: 'default',
    createdAt: AT,
    lastActivity: AT,
    status: 'ACTIVE',
    metadata: { steps: ['a'] },
  };
  expect(faultsOf(WorkflowSessionSchema, whole, ['streamId', 'metadata'])).toEqual([]);
  expect(WorkflowSessionSchema.safeParse({ ...whole, sessionId: 'checkout' }).success).toBe(false);
});

test('[S1.2] SessionStatus has its seven members, each with its name as value', () => {
  expect(SessionStatus).toEqual({
    INITIALIZING: 'INITIALIZING',
    ACTIVE: 'ACTIVE',
    PAUSED: 'PAUSED',
    COMPLETED: 'COMPLETED',
    FAILED: 'FAILED',
    CANCELLED: 'CANCELLED',
    CLEANUP: 'CLEANUP',
  });
  expect(
    proveSame<
      `${SessionStatus}`,
      'INITIALIZING' | 'ACTIVE' | 'PAUSED' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'CLEANUP'
    >(true),
  ).toBe(true);
});

test('[S1.3] WorkflowConfig has the members of the contract, all optional', () => {
  expect(
    proveSame<
      WorkflowConfig,
      {
        aiConnectionId?: string | undefined;
        browserType?: 'chromium' | 'firefox' | 'webkit' | undefined;
        enableStreaming?: boolean | undefined;
        streamConfig?: StreamProcessingConfig | undefined;
        executorConfig?: ExecutorProcessingConfig | undefined;
        aiConfig?: AIProcessingConfig | undefined;
        maxExecutionTime?: number | undefined;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = {
    aiConnectionId: 'default',
    browserType: 'webkit',
    enableStreaming: true,
    streamConfig: STREAM_CONFIG,
    executorConfig: EXECUTOR_CONFIG,
    aiConfig: AI_CONFIG,
    maxExecutionTime: 1000,
    metadata: {},
  };
  expect(faultsOf(WorkflowConfigSchema, whole, Object.keys(whole))).toEqual([]);
  expect(WorkflowConfigSchema.safeParse({}).success).toBe(true);
  expect(WorkflowConfigSchema.safeParse({ browserType: 'opera' }).success).toBe(false);
});

test('[S1.4] ModuleSessionInfo has the members of the contract', () => {
  expect(
    proveSame<
      ModuleSessionInfo,
      {
        moduleId: string;
        sessionId: string;
        linkedWorkflowSessionId: string;
        status: SessionStatus;
        createdAt: Date;
        lastActivity: Date;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = {
    moduleId: 'executor',
    sessionId: 'e',
    linkedWorkflowSessionId: UUID,
    status: 'PAUSED',
    createdAt: AT,
    lastActivity: AT,
    metadata: {},
  };
  expect(faultsOf(ModuleSessionInfoSchema, whole, ['metadata'])).toEqual([]);
  expect(ModuleSessionInfoSchema.safeParse({ ...whole, status: 'BUSY' }).success).toBe(false);
});

test('[S1.5] ISessionManager has the methods of the contract, with synchronous look-ups by session', () => {
  expect(
    proveSame<
      ISessionManager,
      {
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
    >(true),
  ).toBe(true);
});

test('[S1.6] ModuleSessionConfig has the members of the contract, all optional', () => {
  expect(
    proveSame<
      ModuleSessionConfig,
      {
        timeoutMs?: number | undefined;
        retryAttempts?: number | undefined;
        metadata?: Record<string, any> | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = { timeoutMs: 1000, retryAttempts: 0, metadata: {} };
  expect(faultsOf(ModuleSessionConfigSchema, whole, Object.keys(whole))).toEqual([]);
  expect(ModuleSessionConfigSchema.safeParse({ timeoutMs: 0 }).success).toBe(false);
});

test('[S1.7] SessionLifecycleCallbacks has the four callbacks of the contract, all optional', () => {
  expect(
    proveSame<
      SessionLifecycleCallbacks,
      {
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
    >(true),
  ).toBe(true);
});

test('[S1.8] SessionManagerHealth has the members of the contract', () => {
  expect(
    proveSame<
      SessionManagerHealth,
      {
        moduleId: string;
        isHealthy: boolean;
        activeSessions: number;
        totalSessions: number;
        errors: StandardError[];
        lastHealthCheck: Date;
      }
    >(true),
  ).toBe(true);
  const whole = {
    moduleId: 'executor',
    isHealthy: false,
    activeSessions: 1,
    totalSessions: 2,
    errors: [],
    lastHealthCheck: AT,
  };
  expect(faultsOf(SessionManagerHealthSchema, whole)).toEqual([]);
  expect(SessionManagerHealthSchema.safeParse({ ...whole, errors: [aStandardError()] }).success).toBe(true);
  expect(SessionManagerHealthSchema.safeParse({ ...whole, errors: ['broken'] }).success).toBe(false);
});

test('[S1.9] SessionCoordinator has the methods of the contract', () => {
  expect(
    proveSame<
      SessionCoordinator,
      {
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
    >(true),
  ).toBe(true);
});

test('[S1.10] WorkflowSessionCallback is called with the session', () => {
  expect(proveSame<WorkflowSessionCallback, (session: WorkflowSession) => Promise<void>>(true)).toBe(true);
});

test('[S1.11] ModuleSessionLinkCallback is called with the ids of session, module and module session', () => {
  expect(
    proveSame<
      ModuleSessionLinkCallback,
      (workflowSessionId: string, moduleId: string, moduleSessionId: string) => Promise<void>
    >(true),
  ).toBe(true);
});

test('[S1.12] CoordinatorHealth has the members of the contract', () => {
  expect(
    proveSame<
      CoordinatorHealth,
      {
        totalWorkflowSessions: number;
        activeWorkflowSessions: number;
        registeredModules: string[];
        moduleHealthStatus: Record<string, boolean>;
        lastHealthCheck: Date;
      }
    >(true),
  ).toBe(true);
  const whole = {
    totalWorkflowSessions: 2,
    activeWorkflowSessions: 1,
    registeredModules: ['executor'],
    moduleHealthStatus: { executor: true },
    lastHealthCheck: AT,
  };
  expect(faultsOf(CoordinatorHealthSchema, whole, ['moduleHealthStatus.executor'])).toEqual([]);
});

test('[S1.13] SessionIntegrityReport has the members of the contract', () => {
  expect(
    proveSame<
      SessionIntegrityReport,
      {
        workflowSessionId: string;
        isValid: boolean;
        linkedModules: string[];
        missingLinks: string[];
        orphanedSessions: Record<string, string>;
        inconsistentStatuses: Record<string, SessionStatus>;
        recommendations: string[];
      }
    >(true),
  ).toBe(true);
  const whole = {
    workflowSessionId: UUID,
    isValid: false,
    linkedModules: ['executor'],
    missingLinks: ['task-loop'],
    orphanedSessions: { executor: 'e' },
    inconsistentStatuses: { executor: 'FAILED' },
    recommendations: ['Link task-loop.'],
  };
  const byModule = ['orphanedSessions.executor', 'inconsistentStatuses.executor'];
  expect(faultsOf(SessionIntegrityReportSchema, whole, byModule)).toEqual([]);
  expect(SessionIntegrityReportSchema.safeParse({ ...whole, inconsistentStatuses: { executor: 'ODD' } }).success).toBe(
    false,
  );
});

test('[S1.A16] the nine modules have the ids of the contract', () => {
  expect(MODULE_IDS).toEqual([
    'step-processor',
    'task-loop',
    'executor',
    'executor-streamer',
    'ai-integration',
    'ai-context-manager',
    'ai-schema-manager',
    'ai-prompt-manager',
    'frontend-api',
  ]);
});
