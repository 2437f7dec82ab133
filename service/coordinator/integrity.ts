import type { SessionIntegrityReport } from '../../contracts/modules/coordinator';
import type { ModuleSessionInfo } from '../../contracts/modules/module-sessions';
import { statusChange, type SessionStatus } from '../../contracts/sessions/session';
import { STREAMER } from './derive-modules';
import type { KnownSession } from './known-session';

/**
 * Reports on the links and statuses of a session's modules (S1.R32). Every registered module must have a session that is linked (S1.A29), unless the session was torn down. A link
 * counts when it leads to the module's session; `customSessions` are those of modules that a program registered.
 */
export function integrityOf(
  known: KnownSession,
  registered: readonly string[],
  customSessions: ReadonlyMap<string, ModuleSessionInfo>,
): SessionIntegrityReport {
  const { session, links, isTornDown, hasStream, faults } = known;
  const modules = new Map([...known.modules, ...customSessions]);
  const expected = isTornDown ? [] : registered.filter((id) => id !== STREAMER || hasStream);
  // The link of a module that is not registered here can't be checked.
  const linkedModules = Object.entries(links)
    .filter(([id, target]) => (modules.has(id) ? modules.get(id)?.sessionId === target : !registered.includes(id)))
    .map(([id]) => id);
  const missingLinks = expected.filter((id) => !linkedModules.includes(id));
  const orphans = [...modules.values()].filter(({ moduleId }) => !linkedModules.includes(moduleId));
  const inconsistent = [...modules.values()].filter(({ status }) => status !== session.status);
  return {
    workflowSessionId: session.sessionId,
    isValid: missingLinks.length + orphans.length + inconsistent.length + faults.length === 0,
    linkedModules,
    missingLinks,
    orphanedSessions: Object.fromEntries(orphans.map(({ moduleId, sessionId }) => [moduleId, sessionId])),
    inconsistentStatuses: Object.fromEntries(inconsistent.map(({ moduleId, status }) => [moduleId, status])),
    recommendations: [
      ...missingLinks.filter((id) => !modules.has(id)).map(toCreate),
      ...orphans.map((orphan) => toLinkOrDestroy(orphan, isTornDown)),
      ...inconsistent.map((info) => toMove(info, session.status)),
      ...faults.map(({ message }) => `${message}. Restore it from a backup, or start a new session.`),
    ],
  };
}

function toCreate(moduleId: string): string {
  return `${moduleId} has no session: create it (createSession), then link it (linkModuleSession).`;
}

function toLinkOrDestroy({ moduleId, sessionId }: ModuleSessionInfo, isTornDown: boolean): string {
  const what = `The session ${sessionId} of ${moduleId} is not linked:`;
  if (isTornDown) return `${what} destroy it (destroySession), as the session it belonged to is gone.`;
  return `${what} link it (linkModuleSession), or destroy it (destroySession) and create another.`;
}

function toMove({ moduleId, status }: ModuleSessionInfo, wanted: SessionStatus): string {
  const what = `The session of ${moduleId} is ${status}, the workflow session is ${wanted}:`;
  return statusChange(status, wanted) === 'legal'
    ? `${what} move it along (updateSessionStatus).`
    : `${what} that is no legal change, so destroy it (destroySession), create it again and link it.`;
}
