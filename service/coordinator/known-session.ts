import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../contracts/errors/error-codes';
import { standardError, StandardErrorSchema, type StandardError } from '../../contracts/errors/standard-error';
import { ModuleSessionInfoSchema, type ModuleSessionInfo } from '../../contracts/modules/module-sessions';
import type { WorkflowSession } from '../../contracts/sessions/session';
import type { SessionRow } from '../../store/sessions/sessions';
import { deriveLinks, deriveModules, hasStream, isTornDown } from './derive-modules';
import { toWorkflowSession } from '../sessions/read-model';
import { issuesOf, issuesText } from '../../contracts/errors/issues';

/** A session with its module sessions and links, derived from one reading of its row and checked. */
export interface KnownSession {
  session: WorkflowSession;
  /** True when its module sessions are gone, so that none is missing. */
  isTornDown: boolean;
  hasStream: boolean;
  error: StandardError | null;
  modules: ReadonlyMap<string, ModuleSessionInfo>;
  links: Readonly<Record<string, string>>;
  /** Stored parts that can't be read (CM004). */
  faults: readonly StandardError[];
}

export function moduleError(
  code: ErrorCode,
  message: string,
  context: { sessionId?: string; moduleId?: string },
): StandardError {
  return standardError({ id: randomUUID(), timestamp: new Date(), code, message, ...context });
}

/** Derives the module sessions and links of a row; a part of it that can't be read becomes a fault. */
export function toKnownSession(row: SessionRow): KnownSession {
  const { sessionId } = row;
  const faults: StandardError[] = [];
  const modules = new Map<string, ModuleSessionInfo>();
  for (const derived of deriveModules(row)) {
    const parsed = ModuleSessionInfoSchema.safeParse(derived);
    if (parsed.success) modules.set(parsed.data.moduleId, parsed.data);
    else {
      const { moduleId } = derived;
      const issues = issuesText(issuesOf(parsed.error));
      const message = `The session of ${moduleId} for session ${sessionId} can't be read: ${issues}`;
      faults.push(moduleError('CM004', message, { sessionId, moduleId }));
    }
  }
  // A start that failed, or that was given up, has no module sessions and needs none.
  const isUnmade = row.runId === null && row.closed && modules.size === 0;
  return {
    session: readSession(row, faults),
    isTornDown: isTornDown(row) || isUnmade,
    hasStream: hasStream(row),
    error: row.error === null ? null : (StandardErrorSchema.safeParse(row.error).data ?? row.error),
    modules,
    links: isUnmade ? {} : deriveLinks(row),
    faults,
  };
}

/** Reads the session without its steps where the plan is damaged: an integrity report needs the rest. */
function readSession(row: SessionRow, faults: StandardError[]): WorkflowSession {
  try {
    return toWorkflowSession(row);
  } catch (error) {
    const { sessionId, executorSessionId, streamId, aiConnectionId, createdAt, lastActivity, status } = row;
    const message = `The stored plan of session ${sessionId} can't be read: ${(error as Error).message}`;
    faults.push(moduleError('CM004', message, { sessionId, moduleId: 'step-processor' }));
    return { sessionId, executorSessionId, streamId, aiConnectionId, createdAt, lastActivity, status };
  }
}
