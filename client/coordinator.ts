import type { Client } from '@temporalio/client';
import type { SessionCoordinator } from '../contracts/modules/coordinator';
import { MODULE_IDS, type ISessionManager } from '../contracts/modules/module-sessions';
import { isOpen } from '../contracts/sessions/session';
import type { ModulesHealth, SessionHealth } from '../contracts/modules/session-health';
import type { Logger } from '../runtime/process';
import type { Store } from '../store/store';
import { createCoordinatorHooks } from './coordinator-hooks';
import { coordinatorHealth, modulesHealth, sessionHealth, sessionIntegrity } from './coordinator-health';
import { followSessions } from './follow-sessions';
import { createModuleSessionManager, type ModuleSessionManager } from './module-sessions';
import { notFound } from './sessions/session-row';
import { invalid, startSession } from './sessions/start';
import { fromStore } from './connection/store-errors';
import { joinModules } from './join-modules';
import { tearDown } from './tear-down';

/** S1.9 with what the API and the CLI tell of it, and the part of a start that is its own. */
export interface Coordinator extends SessionCoordinator {
  sessionHealth(name: string): Promise<SessionHealth>;
  modulesHealth(): Promise<ModulesHealth>;
  /** Has the registered modules take part in a session whose row is written and whose workflow is not started yet. */
  join(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export interface CoordinatorParts {
  store: Store;
  temporal: Client;
  maxSessions?: number | undefined;
  logger: Pick<Logger, 'warn'>;
}

/** Opens it with the nine modules of the system; resolves when look-ups know what is stored. */
export async function openCoordinator(parts: CoordinatorParts): Promise<Coordinator> {
  const { store, logger } = parts;
  const report = (error: unknown): void =>
    logger.warn({ error: error instanceof Error ? error.message : String(error) }, 'a callback of a session failed');
  const hooks = createCoordinatorHooks(report);
  const modules = new Map<string, ISessionManager>();
  const own = new Map<string, ModuleSessionManager>();
  const followed = followSessions(store, logger, (sessionId, facts) => {
    for (const fact of facts) {
      hooks.tell(sessionId, fact);
      if ('moduleId' in fact) own.get(fact.moduleId)?.tell(sessionId, fact);
    }
  });
  const { projection, staleness } = followed;
  for (const moduleId of MODULE_IDS) {
    const manager = createModuleSessionManager(moduleId, { store, projection, staleness, report });
    own.set(moduleId, manager);
    modules.set(moduleId, manager);
  }
  /** Those that keep their sessions themselves; the others' come and go in the database with their session. */
  const others = (): ISessionManager[] =>
    [...modules.values()].filter((manager) => own.get(manager.moduleId) !== manager);
  const scene = { ...parts, projection, modules, others };

  const coordinator: Coordinator = {
    async createWorkflowSession(steps, config = {}) {
      const { sessionId } = await startSession({ ...parts, join: coordinator.join }, { steps, config }, undefined);
      await fromStore(() => projection.refresh(sessionId));
      const known = projection.get(sessionId);
      if (known === undefined) throw notFound(`Session ${sessionId} was removed while it was created.`);
      return known.session;
    },
    destroyWorkflowSession: (sessionId) => tearDown(scene, sessionId),
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
        await store.moduleSessions.link(sessionId, moduleId, moduleSessionId);
        await projection.refresh(sessionId);
      });
    },
    unlinkModuleSession: (sessionId, moduleId) =>
      fromStore(async () => {
        await store.moduleSessions.unlink(sessionId, moduleId);
        await projection.refresh(sessionId);
      }),
    getLinkedSessions: (sessionId) => ({ ...projection.get(sessionId)?.links }),
    onWorkflowSessionCreated: hooks.onCreated,
    onWorkflowSessionDestroyed: hooks.onDestroyed,
    onModuleSessionLinked: hooks.onLinked,
    getCoordinatorHealth: () => coordinatorHealth(scene),
    validateSessionIntegrity: (sessionId) => sessionIntegrity(scene, sessionId),
    sessionHealth: (name) => sessionHealth(scene, name),
    modulesHealth: () => modulesHealth(scene),
    join: (sessionId) => joinModules({ ...scene, link: coordinator.linkModuleSession }, sessionId),
    close: followed.stop,
  };
  await followed.ready;
  return coordinator;
}
