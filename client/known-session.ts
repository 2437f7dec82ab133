import { randomUUID } from 'node:crypto';
import {
  standardError,
  StandardErrorSchema,
  type ErrorCode,
  type StandardError,
} from '../contracts/errors/standard-error';
import { ModuleSessionInfoSchema, type ModuleSessionInfo } from '../contracts/modules/module-sessions';
import { SessionStatus, type WorkflowSession } from '../contracts/sessions/session';
import { issuesOf } from '../contracts/sessions/start-request';
import type { LinkedSession } from '../store/sessions/module-sessions';
import { toWorkflowSession } from './sessions/read-model';

/** A session with its module sessions and links, of one moment, checked. */
export interface KnownSession {
  session: WorkflowSession;
  /** It has none of its module sessions any more, and needs none. */
  isTornDown: boolean;
  hasStream: boolean;
  error: StandardError | null;
  modules: ReadonlyMap<string, ModuleSessionInfo>;
  links: Readonly<Record<string, string>>;
  /** What is stored and can not be read as what it should be (CM004). */
  faults: readonly StandardError[];
}

export function moduleError(
  code: ErrorCode,
  message: string,
  context: { sessionId?: string; moduleId?: string },
): StandardError {
  return standardError({ id: randomUUID(), timestamp: new Date(), code, message, ...context });
}

export function toKnownSession({ row, modules, links }: LinkedSession): KnownSession {
  const { sessionId, status } = row;
  const faults: StandardError[] = [];
  const known = new Map<string, ModuleSessionInfo>();
  for (const stored of modules) {
    const parsed = ModuleSessionInfoSchema.safeParse(stored);
    if (parsed.success) known.set(parsed.data.moduleId, parsed.data);
    else {
      const { moduleId } = stored as { moduleId: string };
      const told = issuesOf(parsed.error).map(({ path, message }) => `${path}: ${message}`);
      const message = `The session of ${moduleId} for session ${sessionId} can't be read: ${told.join('; ')}`;
      faults.push(moduleError('CM004', message, { sessionId, moduleId }));
    }
  }
  const isUnmade = row.runId === null && row.closed && known.size === 0;
  return {
    session: readSession(row, faults),
    isTornDown: status === SessionStatus.CLEANUP || row.isExpired || isUnmade,
    hasStream: row.plan?.config?.enableStreaming !== false,
    error: row.error === null ? null : (StandardErrorSchema.safeParse(row.error).data ?? row.error),
    modules: known,
    links,
    faults,
  };
}

/** A plan that is damaged takes nothing but the steps away: who looks for what is broken has to see the rest. */
function readSession(row: LinkedSession['row'], faults: StandardError[]): WorkflowSession {
  try {
    return toWorkflowSession(row);
  } catch (error) {
    const { sessionId, executorSessionId, streamId, aiConnectionId, createdAt, lastActivity, status } = row;
    const message = `The stored plan of session ${sessionId} can't be read: ${(error as Error).message}`;
    faults.push(moduleError('CM004', message, { sessionId, moduleId: 'step-processor' }));
    return { sessionId, executorSessionId, streamId, aiConnectionId, createdAt, lastActivity, status };
  }
}
