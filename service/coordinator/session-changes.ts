import type { StandardError } from '../../contracts/errors/standard-error';
import { SessionStatus, type WorkflowSession } from '../../contracts/sessions/session';
import type { KnownSession } from './known-session';

/** A difference between two states of one session, for which S1.R7 and S1.7 have a callback. */
export type SessionChange =
  | { kind: 'created' | 'destroyed'; session: WorkflowSession }
  | { kind: 'linked'; moduleId: string; moduleSessionId: string }
  | { kind: 'module-created'; moduleId: string; moduleSessionId: string }
  | { kind: 'module-status'; moduleId: string; from: SessionStatus; to: SessionStatus }
  | { kind: 'module-destroyed'; moduleId: string }
  | { kind: 'module-error'; moduleId: string; error: StandardError };

/** The module of an error that names none. */
const OWNER_OF_THE_REST = 'step-processor';

/**
 * Lists changes in the order of their callbacks: a session is created before its modules and destroyed after them.
 * Changes of a status between two reads are one change. `isNew` says whether a session without an earlier state is new.
 */
export function sessionChanges(
  before: KnownSession | undefined,
  after: KnownSession | undefined,
  isNew: boolean,
): SessionChange[] {
  if (before === undefined) return after === undefined || !isNew ? [] : [...creation(after), ...updates(after, after)];
  const gone = [...before.modules.values()].reverse().filter(({ moduleId, sessionId }) => {
    return after?.modules.get(moduleId)?.sessionId !== sessionId;
  });
  const destroyed = gone.map(({ moduleId }): SessionChange => ({ kind: 'module-destroyed', moduleId }));
  if (after === undefined) return [...destroyed, { kind: 'destroyed', session: before.session }];
  const ends = isCleanedUp(after) && !isCleanedUp(before);
  return [
    ...destroyed,
    ...updates(before, after),
    ...(ends ? [{ kind: 'destroyed' as const, session: after.session }] : []),
  ];
}

function isCleanedUp({ session }: KnownSession): boolean {
  return session.status === SessionStatus.CLEANUP;
}

function creation(after: KnownSession): SessionChange[] {
  const modules = [...after.modules.values()];
  return [
    { kind: 'created', session: after.session },
    ...modules.map(({ moduleId, sessionId }): SessionChange => {
      return { kind: 'module-created', moduleId, moduleSessionId: sessionId };
    }),
    ...Object.entries(after.links).map(([moduleId, moduleSessionId]): SessionChange => {
      return { kind: 'linked', moduleId, moduleSessionId };
    }),
    ...(after.error === null ? [] : [errorChange(after.error)]),
  ];
}

function errorChange(error: StandardError): SessionChange {
  return { kind: 'module-error', moduleId: error.moduleId ?? OWNER_OF_THE_REST, error };
}

function updates(before: KnownSession, after: KnownSession): SessionChange[] {
  const changes: SessionChange[] = [];
  for (const { moduleId, sessionId, status } of after.modules.values()) {
    const old = before.modules.get(moduleId);
    if (old?.sessionId !== sessionId) changes.push({ kind: 'module-created', moduleId, moduleSessionId: sessionId });
    else if (old.status !== status) changes.push({ kind: 'module-status', moduleId, from: old.status, to: status });
  }
  for (const [moduleId, moduleSessionId] of Object.entries(after.links)) {
    if (before.links[moduleId] !== moduleSessionId) changes.push({ kind: 'linked', moduleId, moduleSessionId });
  }
  if (after.error !== null && before.error?.id !== after.error.id) changes.push(errorChange(after.error));
  const known = new Set(before.faults.map(({ message }) => message));
  return [
    ...changes,
    ...after.faults.filter(({ message }) => before === after || !known.has(message)).map(errorChange),
  ];
}
