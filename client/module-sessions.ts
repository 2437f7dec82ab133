import type { ErrorCode, StandardError } from '../contracts/errors/standard-error';
import {
  ModuleSessionConfigSchema,
  type ISessionManager,
  type ModuleSessionConfig,
  type ModuleSessionInfo,
  type SessionLifecycleCallbacks,
} from '../contracts/modules/module-sessions';
import { isOpen, SessionStatus } from '../contracts/sessions/session';
import { PROCESS_OF_MODULE } from '../contracts/modules/session-health';
import { issuesOf } from '../contracts/sessions/start-request';
import { StoreRefusal } from '../store/database/refusals';
import type { Store } from '../store/store';
import { moduleError } from './known-session';
import { ClientError } from './port';
import type { SessionFact } from './session-facts';
import type { SessionProjection } from './session-projection';
import { notFound } from './sessions/session-row';
import { invalid } from './sessions/start';
import { fromStore } from './connection/store-errors';
import { createCallbackQueue } from './told-in-order';

/** So many sessions are named when a module is not well. */
const NAMED = 20;

/** A module whose sessions are kept in the store, and made and moved along there with their workflow session. */
export interface ModuleSessionManager extends ISessionManager {
  tell(workflowSessionId: string, fact: SessionFact): void;
}

interface ManagerParts {
  store: Pick<Store, 'moduleSessions' | 'processes'>;
  projection: SessionProjection;
  /** Why look-ups may be old just now; undefined when they are not. */
  staleness: () => string | undefined;
  report: (error: unknown) => void;
}

export function createModuleSessionManager(
  moduleId: keyof typeof PROCESS_OF_MODULE,
  { store, projection, staleness, report }: ManagerParts,
): ModuleSessionManager {
  const { moduleSessions, processes } = store;
  const inOrder = createCallbackQueue(report);
  let callbacks: SessionLifecycleCallbacks = {};

  const info = (id: string): ModuleSessionInfo | null => projection.get(id)?.modules.get(moduleId) ?? null;

  /** Writes, then waits until the look-ups of this process know it. */
  async function written<T>(id: string, write: () => Promise<T>): Promise<T> {
    return await fromStore(async () => {
      const result = await write();
      await projection.refresh(id);
      return result;
    });
  }

  function unknown(id: string): ClientError {
    return notFound(`${moduleId} has no session for session ${id}.`);
  }

  return {
    moduleId,
    async createSession(id, config: ModuleSessionConfig = {}) {
      const parsed = ModuleSessionConfigSchema.safeParse(config);
      if (!parsed.success) throw invalid(`The session of ${moduleId} can not be created`, issuesOf(parsed.error));
      const created = await written(id, () => moduleSessions.create(id, moduleId, parsed.data));
      if (created !== null) return created;
      throw notFound(`There is no session ${id} that ${moduleId} could have a session for.`);
    },
    destroySession: (id) => written(id, () => moduleSessions.remove(id, moduleId)),
    getSession: info,
    sessionExists: (id) => info(id) !== null,
    async updateSessionStatus(id, status) {
      await fromStore(() => projection.refresh(id));
      const current = info(id)?.status;
      if (current === undefined) throw unknown(id);
      // Only a teardown leads there from an open status (S1.A1), and an ended one never opens again.
      if (status === SessionStatus.CLEANUP && isOpen(current)) throw illegal(id, current, status);
      const isThere = await written(id, () => moduleSessions.setStatus(id, moduleId, status)).catch(
        (error: unknown) => {
          throw error instanceof StoreRefusal ? illegal(id, current, status) : error;
        },
      );
      if (!isThere) throw unknown(id);
    },
    getSessionStatus: (id) => info(id)?.status ?? null,
    async recordActivity(id) {
      if (!(await written(id, () => moduleSessions.touch(id, moduleId)))) throw unknown(id);
    },
    getLastActivity: (id) => info(id)?.lastActivity ?? null,
    setLifecycleCallbacks(given) {
      callbacks = given;
    },
    async healthCheck() {
      const now = new Date();
      const stale = staleness();
      const errors: StandardError[] = [];
      const add = (code: ErrorCode, message: string, sessionId?: string) =>
        errors.push(moduleError(code, message, { moduleId, ...(sessionId === undefined ? {} : { sessionId }) }));
      if (stale !== undefined) add('CM002', `What is looked up here may be old: ${stale}.`);
      for (const { faults } of projection.all()) errors.push(...faults.filter((fault) => fault.moduleId === moduleId));
      const counts = await fromStore(async () => {
        const [counted, damaged, running] = await Promise.all([
          moduleSessions.count(moduleId),
          moduleSessions.damaged(moduleId, NAMED),
          processes.running(),
        ]);
        const carrier = PROCESS_OF_MODULE[moduleId];
        if (!running.includes(carrier)) add('SP002', `No ${PROCESS_NAMES[carrier]} runs, so nobody does the work.`);
        for (const id of damaged)
          add('CM004', `The session for session ${id} is missing, not linked, or of another status.`, id);
        return counted;
      }).catch((error: unknown) => {
        add('CM002', error instanceof Error ? error.message : String(error));
        return countsOf(projection, moduleId);
      });
      return {
        moduleId,
        isHealthy: errors.length === 0,
        activeSessions: counts.active,
        totalSessions: counts.total,
        errors,
        lastHealthCheck: now,
      };
    },
    tell: (id, fact) => inOrder(() => call(callbacks, moduleId, id, fact)),
  };

  function illegal(id: string, from: SessionStatus, to: SessionStatus): ClientError {
    const message = `The session of ${moduleId} for session ${id} is ${from} and can't become ${to}.`;
    return new ClientError('wrong-state', 'SP001', message, { state: from });
  }
}

const PROCESS_NAMES: Record<string, string> = {
  'step-processor': 'engine worker',
  executor: 'browser worker',
  'frontend-api': 'API',
};

function countsOf(projection: SessionProjection, moduleId: string): { active: number; total: number } {
  const statuses = [...projection.all()].flatMap(({ modules }) => modules.get(moduleId)?.status ?? []);
  return { active: statuses.filter(isOpen).length, total: statuses.length };
}

function call(
  callbacks: SessionLifecycleCallbacks,
  moduleId: string,
  id: string,
  fact: SessionFact,
): Promise<void> | undefined {
  switch (fact.kind) {
    case 'module-created':
      return callbacks.onSessionCreated?.(moduleId, id, fact.moduleSessionId);
    case 'module-moved':
      return callbacks.onSessionStatusChanged?.(moduleId, id, fact.from, fact.to);
    case 'module-destroyed':
      return callbacks.onSessionDestroyed?.(moduleId, id);
    case 'module-error':
      return callbacks.onSessionError?.(moduleId, id, fact.error);
    case 'created':
    case 'destroyed':
    case 'linked':
      return undefined;
  }
}
