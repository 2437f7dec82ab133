import type { ErrorCode } from '../../contracts/errors/error-codes';
import type { StandardError } from '../../contracts/errors/standard-error';
import {
  ModuleSessionConfigSchema,
  type ISessionManager,
  type ModuleSessionConfig,
  type ModuleSessionInfo,
  type SessionLifecycleCallbacks,
} from '../../contracts/modules/module-sessions';
import { isOpen, statusChange, SessionStatus } from '../../contracts/sessions/session';
import { PROCESS_OF_MODULE } from '../../contracts/modules/session-health';
import type { ModuleOverride } from '../../store/sessions/module-overrides';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import { isTornDown, overrideOf, STREAMER } from './derive-modules';
import { moduleError, toKnownSession } from './known-session';
import { ClientError } from '../port/port';
import type { SessionChange } from './session-changes';
import type { SessionProjection } from './session-projection';
import { notFound } from '../rows/session-row';
import { invalid } from '../connection/invalid';
import { fromStore } from '../connection/store-errors';
import { createCallbackQueue } from './callback-queue';
import { errorMessage } from '../../contracts/errors/error-message';
import { issuesOf } from '../../contracts/errors/issues';

/** The most sessions that the report of an unhealthy module names. */
const NAMED = 20;

/** A module of the system: its sessions are created and updated in the store, with their workflow session. */
export interface ModuleSessionManager extends ISessionManager {
  notify(workflowSessionId: string, change: SessionChange): void;
}

interface ManagerParts {
  store: Pick<Store, 'moduleSessions' | 'processes'>;
  projection: SessionProjection;
  /** Why look-ups may be out of date; undefined while they are not. */
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

  const sessionIn = (row: SessionRow): ModuleSessionInfo | undefined => toKnownSession(row).modules.get(moduleId);

  /** Writes the change, then waits until look-ups of this process return it. */
  async function write(id: string, change: (row: SessionRow, now: Date) => ModuleOverride): Promise<boolean> {
    return await fromStore(async () => {
      const isThere = await moduleSessions.change(id, moduleId, change);
      await projection.refresh(id);
      return isThere;
    });
  }

  async function changed(id: string, change: (row: SessionRow, now: Date) => ModuleOverride): Promise<void> {
    if (!(await write(id, change))) throw unknown(id);
  }

  function noSession(id: string): ClientError {
    return notFound(`There is no session ${id} that ${moduleId} could have a session for.`);
  }

  function unknown(id: string): ClientError {
    return notFound(`${moduleId} has no session for session ${id}.`);
  }

  return {
    moduleId,
    async createSession(id, config: ModuleSessionConfig = {}) {
      const parsed = ModuleSessionConfigSchema.safeParse(config);
      if (!parsed.success) throw invalid(`The session of ${moduleId} can not be created`, issuesOf(parsed.error));
      const { metadata } = parsed.data;
      await changed(id, (row, now) => {
        if (isTornDown(row)) throw noSession(id);
        if (sessionIn(row) !== undefined) return overrideOf(row, moduleId);
        const { link } = overrideOf(row, moduleId);
        return {
          createdAt: now.toISOString(),
          ...(metadata === undefined ? {} : { metadata }),
          ...(link === undefined ? {} : { link }),
        };
      });
      const created = info(id);
      if (created === null) throw noSession(id);
      return created.sessionId;
    },
    destroySession: (id) =>
      write(id, (row) => ({ ...overrideOf(row, moduleId), isDestroyed: true })).then(() => undefined),
    getSession: info,
    sessionExists: (id) => info(id) !== null,
    updateSessionStatus: (id, status) =>
      changed(id, (row) => {
        const current = sessionIn(row)?.status;
        if (current === undefined) throw unknown(id);
        const { status: _, ...override } = overrideOf(row, moduleId);
        const isTearDown = status === SessionStatus.CLEANUP && isOpen(current);
        // An open session becomes CLEANUP only by being destroyed (S1.A1), and an ended one never opens again.
        if (isTearDown || statusChange(current, status) === 'illegal') throw illegal(id, current, status);
        return status === row.status ? override : { ...override, status: { own: status, workflow: row.status } };
      }),
    getSessionStatus: (id) => info(id)?.status ?? null,
    recordActivity: (id) =>
      changed(id, (row, now) => {
        if (sessionIn(row) === undefined) throw unknown(id);
        return { ...overrideOf(row, moduleId), lastActivity: now.toISOString() };
      }),
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
        const [counted, overridden, running] = await Promise.all([
          moduleSessions.count(moduleId),
          moduleSessions.overridden(moduleId, NAMED),
          processes.running(),
        ]);
        const process = PROCESS_OF_MODULE[moduleId];
        if (!running.includes(process)) add('SP002', `No ${PROCESS_NAMES[process]} runs, so nobody does the work.`);
        for (const { session, modules, links, hasStream: needsStreamer } of overridden.map(toKnownSession)) {
          const { sessionId: id } = session;
          const own = modules.get(moduleId);
          const isMissing = own === undefined && (moduleId !== STREAMER || needsStreamer);
          if (isMissing || own?.sessionId !== links[moduleId] || (own !== undefined && own.status !== session.status))
            add('CM004', `The session for session ${id} is missing, not linked, or of another status.`, id);
        }
        return counted;
      }).catch((error: unknown) => {
        add('CM002', errorMessage(error));
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
    notify: (id, change) => inOrder(() => call(callbacks, moduleId, id, change)),
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
  change: SessionChange,
): Promise<void> | undefined {
  switch (change.kind) {
    case 'module-created':
      return callbacks.onSessionCreated?.(moduleId, id, change.moduleSessionId);
    case 'module-status':
      return callbacks.onSessionStatusChanged?.(moduleId, id, change.from, change.to);
    case 'module-destroyed':
      return callbacks.onSessionDestroyed?.(moduleId, id);
    case 'module-error':
      return callbacks.onSessionError?.(moduleId, id, change.error);
    case 'created':
    case 'destroyed':
    case 'linked':
      return undefined;
  }
}
