import type { Client } from '@temporalio/client';
import type { Connections } from '../../contracts/sessions/model-connections';
import type { SessionCoordinator } from '../../contracts/modules/coordinator';
import { parseStart } from '../../contracts/sessions/start-request';
import { MODULE_IDS, type ISessionManager } from '../../contracts/modules/module-sessions';
import { isOpen } from '../../contracts/sessions/session';
import type { ModulesHealth, SessionHealth } from '../../contracts/modules/session-health';
import type { Logger } from '../../runtime/process';
import type { Store } from '../../store/store';
import { overrideOf } from './derive-modules';
import { createCoordinatorHooks } from './hooks';
import { coordinatorHealth, modulesHealth, sessionHealth, sessionIntegrity } from './health';
import { followSessions } from './follow-sessions';
import { createModuleSessionManager, type ModuleSessionManager } from './module-sessions';
import { notFound } from '../rows/session-row';
import { invalid } from '../connection/invalid';
import { startSession } from '../sessions/start';
import { fromStore } from '../connection/store-errors';
import { joinModules } from './join-modules';
import { tearDown } from './tear-down';
import { errorMessage } from '../../contracts/errors/error-message';

/** S1.9, with the reports that the API and the CLI show, and its part of a start. */
export interface Coordinator extends SessionCoordinator {
  sessionHealth(name: string): Promise<SessionHealth>;
  modulesHealth(): Promise<ModulesHealth>;
  /** Creates and links the sessions of registered modules, for a session whose workflow is not started yet. */
  join(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export interface CoordinatorParts {
  store: Store;
  temporal: Client;
  maxSessions?: number | undefined;
  connections?: Connections | undefined;
  logger: Pick<Logger, 'warn'>;
}

/** Opens a coordinator with the nine modules of the system; resolves when look-ups know what is stored. */
export async function openCoordinator(parts: CoordinatorParts): Promise<Coordinator> {
  const { store, logger } = parts;
  const report = (error: unknown): void =>
    logger.warn({ error: errorMessage(error) }, 'a callback of a session failed');
  const hooks = createCoordinatorHooks(report);
  const modules = new Map<string, ISessionManager>();
  const own = new Map<string, ModuleSessionManager>();
  const followed = followSessions(store, logger, (sessionId, changes) => {
    for (const change of changes) {
      hooks.notify(sessionId, change);
      if ('moduleId' in change) own.get(change.moduleId)?.notify(sessionId, change);
    }
  });
  const { projection, staleness } = followed;
  for (const moduleId of MODULE_IDS) {
    const manager = createModuleSessionManager(moduleId, { store, projection, staleness, report });
    own.set(moduleId, manager);
    modules.set(moduleId, manager);
  }
  /**
   * The modules that a program registered: they keep their own sessions, while those of the system derive from the
   * session's row.
   */
  const customModules = (): ISessionManager[] =>
    [...modules.values()].filter((manager) => own.get(manager.moduleId) !== manager);
  const context = { ...parts, projection, modules, customModules };

  const setLink = (sessionId: string, moduleId: string, link: string | null) =>
    store.moduleSessions.change(sessionId, moduleId, (row) => ({ ...overrideOf(row, moduleId), link }));

  const coordinator: Coordinator = {
    async createWorkflowSession(steps, config = {}) {
      const { sessionId } = await startSession(
        { ...parts, join: coordinator.join },
        parseStart({ steps, config }),
        undefined,
      );
      await fromStore(() => projection.refresh(sessionId));
      const known = projection.get(sessionId);
      if (known === undefined) throw notFound(`Session ${sessionId} was removed while it was created.`);
      return known.session;
    },
    destroyWorkflowSession: (sessionId) => tearDown(context, sessionId),
    getWorkflowSession: (sessionId) => projection.get(sessionId)?.session ?? null,
    listActiveWorkflowSessions: () =>
      [...projection.all()].filter(({ session }) => isOpen(session.status)).map(({ session }) => session.sessionId),
    registerModule(moduleId, manager) {
      if (manager.moduleId !== moduleId)
        throw new Error(`Expected the session manager of ${moduleId}, got the one of ${manager.moduleId}.`);
      if (modules.has(moduleId)) throw new Error(`${moduleId} is registered already: unregister it first.`);
      modules.set(moduleId, manager);
    },
    unregisterModule: (moduleId) => void modules.delete(moduleId),
    getModuleSessionManager: (moduleId) => modules.get(moduleId) ?? null,
    async linkModuleSession(sessionId, moduleId, moduleSessionId) {
      await fromStore(() => projection.refresh(sessionId));
      if (projection.get(sessionId) === undefined) throw notFound(`There is no session ${sessionId}.`);
      const there = modules.get(moduleId)?.getSession(sessionId)?.sessionId;
      if (there !== moduleSessionId) {
        const message = `expected ${there ?? 'nothing, as it has no session'}, got ${moduleSessionId}`;
        throw invalid(`${moduleId} can not be linked to session ${sessionId}`, [{ path: 'moduleSessionId', message }]);
      }
      await fromStore(async () => {
        await setLink(sessionId, moduleId, moduleSessionId);
        await projection.refresh(sessionId);
      });
    },
    unlinkModuleSession: (sessionId, moduleId) =>
      fromStore(async () => {
        await setLink(sessionId, moduleId, null);
        await projection.refresh(sessionId);
      }),
    getLinkedSessions: (sessionId) => ({ ...projection.get(sessionId)?.links }),
    onWorkflowSessionCreated: hooks.onCreated,
    onWorkflowSessionDestroyed: hooks.onDestroyed,
    onModuleSessionLinked: hooks.onLinked,
    getCoordinatorHealth: () => coordinatorHealth(context),
    validateSessionIntegrity: (sessionId) => sessionIntegrity(context, sessionId),
    sessionHealth: (name) => sessionHealth(context, name),
    modulesHealth: () => modulesHealth(context),
    join: (sessionId) => joinModules({ ...context, link: coordinator.linkModuleSession }, sessionId),
    close: followed.stop,
  };
  await followed.ready;
  return coordinator;
}
