import type { StandardError } from '../contracts/errors/standard-error';
import { SessionStatus, type WorkflowSession } from '../contracts/sessions/session';
import type { KnownSession } from './known-session';

/** What S1.R7 and S1.7 have callbacks for, as it shows between two pictures of one session. */
export type SessionFact =
  | { kind: 'created' | 'destroyed'; session: WorkflowSession }
  | { kind: 'linked'; moduleId: string; moduleSessionId: string }
  | { kind: 'module-created'; moduleId: string; moduleSessionId: string }
  | { kind: 'module-moved'; moduleId: string; from: SessionStatus; to: SessionStatus }
  | { kind: 'module-destroyed'; moduleId: string }
  | { kind: 'module-error'; moduleId: string; error: StandardError };

/** Whose error it is that names nobody. */
const OWNER_OF_THE_REST = 'step-processor';

/**
 * In the order in which it happens: a session before its modules, and torn down in the reverse order. Several changes
 * of a status that nobody looked between are one. `isNew` says whether a session without a picture before is a new one.
 */
export function factsBetween(
  before: KnownSession | undefined,
  after: KnownSession | undefined,
  isNew: boolean,
): SessionFact[] {
  if (before === undefined) return after === undefined || !isNew ? [] : [...creation(after), ...changes(after, after)];
  const gone = [...before.modules.values()].reverse().filter(({ moduleId, sessionId }) => {
    return after?.modules.get(moduleId)?.sessionId !== sessionId;
  });
  const destroyed = gone.map(({ moduleId }): SessionFact => ({ kind: 'module-destroyed', moduleId }));
  if (after === undefined) return [...destroyed, { kind: 'destroyed', session: before.session }];
  const ends = isCleanedUp(after) && !isCleanedUp(before);
  return [
    ...destroyed,
    ...changes(before, after),
    ...(ends ? [{ kind: 'destroyed' as const, session: after.session }] : []),
  ];
}

function isCleanedUp({ session }: KnownSession): boolean {
  return session.status === SessionStatus.CLEANUP;
}

function creation(after: KnownSession): SessionFact[] {
  const modules = [...after.modules.values()];
  return [
    { kind: 'created', session: after.session },
    ...modules.map(({ moduleId, sessionId }): SessionFact => {
      return { kind: 'module-created', moduleId, moduleSessionId: sessionId };
    }),
    ...Object.entries(after.links).map(([moduleId, moduleSessionId]): SessionFact => {
      return { kind: 'linked', moduleId, moduleSessionId };
    }),
    ...(after.error === null ? [] : [errorFact(after.error)]),
  ];
}

function errorFact(error: StandardError): SessionFact {
  return { kind: 'module-error', moduleId: error.moduleId ?? OWNER_OF_THE_REST, error };
}

function changes(before: KnownSession, after: KnownSession): SessionFact[] {
  const facts: SessionFact[] = [];
  for (const { moduleId, sessionId, status } of after.modules.values()) {
    const old = before.modules.get(moduleId);
    if (old?.sessionId !== sessionId) facts.push({ kind: 'module-created', moduleId, moduleSessionId: sessionId });
    else if (old.status !== status) facts.push({ kind: 'module-moved', moduleId, from: old.status, to: status });
  }
  for (const [moduleId, moduleSessionId] of Object.entries(after.links)) {
    if (before.links[moduleId] !== moduleSessionId) facts.push({ kind: 'linked', moduleId, moduleSessionId });
  }
  if (after.error !== null && before.error?.id !== after.error.id) facts.push(errorFact(after.error));
  const known = new Set(before.faults.map(({ message }) => message));
  return [...facts, ...after.faults.filter(({ message }) => before === after || !known.has(message)).map(errorFact)];
}
