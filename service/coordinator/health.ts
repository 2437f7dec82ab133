import type { CoordinatorHealth, SessionIntegrityReport } from '../../contracts/modules/coordinator';
import type { ISessionManager, ModuleSessionInfo, SessionManagerHealth } from '../../contracts/modules/module-sessions';
import { isOpen } from '../../contracts/sessions/session';
import { PROCESS_OF_MODULE, type ModulesHealth, type SessionHealth } from '../../contracts/modules/session-health';
import type { Store } from '../../store/store';
import { integrityOf } from './integrity';
import { moduleError, toKnownSession, type KnownSession } from './known-session';
import type { SessionProjection } from './session-projection';
import { notFound, requireSessionRow } from '../rows/session-row';
import { fromStore } from '../connection/store-errors';
import { errorMessage } from '../../contracts/errors/error-message';

/** What reports of the coordinator are made from. */
interface CoordinatorContext {
  store: Store;
  projection: SessionProjection;
  modules: ReadonlyMap<string, ISessionManager>;
  customModules: () => ISessionManager[];
}

/** Reads the store and not the projection, because a health report is about what is stored. */
async function readWhole({ store }: CoordinatorContext, name: string): Promise<KnownSession> {
  const { sessionId } = await requireSessionRow(store, name);
  const [row] = await store.moduleSessions.read([sessionId]);
  if (row === undefined) throw notFound(`There is no session ${name}.`);
  return toKnownSession(row);
}

function reportOn(context: CoordinatorContext, known: KnownSession): SessionIntegrityReport {
  return integrityOf(known, [...context.modules.keys()], customSessionsOf(context, known.session.sessionId));
}

function customSessionsOf(
  { customModules }: CoordinatorContext,
  sessionId: string,
): ReadonlyMap<string, ModuleSessionInfo> {
  return new Map(
    customModules().flatMap((manager) => {
      const info = manager.getSession(sessionId);
      return info === null ? [] : [[manager.moduleId, info] as const];
    }),
  );
}

export async function sessionIntegrity(context: CoordinatorContext, name: string): Promise<SessionIntegrityReport> {
  return reportOn(context, await fromStore(() => readWhole(context, name)));
}

export async function sessionHealth(context: CoordinatorContext, name: string): Promise<SessionHealth> {
  const [known, running] = await fromStore(() =>
    Promise.all([readWhole(context, name), context.store.processes.running()]),
  );
  const { sessionId, status } = known.session;
  const integrity = reportOn(context, known);
  const carriers: Readonly<Record<string, string>> = PROCESS_OF_MODULE;
  const infos = [...known.modules.values(), ...customSessionsOf(context, sessionId).values()];
  const modules = infos.map((info) => {
    const carrier = carriers[info.moduleId];
    const isCarried = !isOpen(status) || carrier === undefined || running.includes(carrier);
    return { ...info, isLinked: integrity.linkedModules.includes(info.moduleId), isCarried };
  });
  const isHealthy = integrity.isValid && modules.every(({ isCarried }) => isCarried);
  return { sessionId, status, isHealthy, modules, integrity };
}

/** Reports a module whose health check throws as not healthy. */
async function healthOf(manager: ISessionManager): Promise<SessionManagerHealth> {
  try {
    return await manager.healthCheck();
  } catch (error) {
    const { moduleId } = manager;
    const message = `It could not be asked how it is: ${errorMessage(error)}`;
    const errors = [moduleError('CM002', message, { moduleId })];
    return { moduleId, isHealthy: false, activeSessions: 0, totalSessions: 0, errors, lastHealthCheck: new Date() };
  }
}

async function countsOf({ store, projection }: CoordinatorContext): Promise<{ total: number; active: number }> {
  return await fromStore(() => store.moduleSessions.count()).catch(() => {
    const known = [...projection.all()];
    return { total: known.length, active: known.filter(({ session }) => isOpen(session.status)).length };
  });
}

export async function modulesHealth(context: CoordinatorContext): Promise<ModulesHealth> {
  const [counts, modules] = await Promise.all([
    countsOf(context),
    Promise.all([...context.modules.values()].map(healthOf)),
  ]);
  const coordinator = {
    totalWorkflowSessions: counts.total,
    activeWorkflowSessions: counts.active,
    registeredModules: [...context.modules.keys()],
    moduleHealthStatus: Object.fromEntries(modules.map(({ moduleId, isHealthy }) => [moduleId, isHealthy])),
    lastHealthCheck: new Date(),
  };
  return { isHealthy: modules.every(({ isHealthy }) => isHealthy), coordinator, modules };
}

export async function coordinatorHealth(context: CoordinatorContext): Promise<CoordinatorHealth> {
  return (await modulesHealth(context)).coordinator;
}
