import { randomUUID } from 'node:crypto';
import { standardError } from '../../contracts/errors/standard-error';
import type { ISessionManager } from '../../contracts/modules/module-sessions';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Logger } from '../../runtime/process';
import { closeSession } from '../../store/endings/close-session';
import type { Store } from '../../store/store';
import { ClientError } from '../port/port';
import { fromStore } from '../connection/store-errors';
import { errorMessage } from '../../contracts/errors/error-message';

interface Joining {
  store: Store;
  logger: Pick<Logger, 'warn'>;
  modules: ReadonlyMap<string, ISessionManager>;
  customModules: () => ISessionManager[];
  link(sessionId: string, moduleId: string, moduleSessionId: string): Promise<void>;
}

/**
 * Creates and links the sessions of the modules that a program registered, before the workflow starts (S1.A33); those of
 * the system follow from the session's row. When one fails, all of them are destroyed and the session has FAILED.
 */
export async function joinModules(joining: Joining, sessionId: string): Promise<void> {
  for (const manager of joining.customModules()) {
    try {
      await joining.link(sessionId, manager.moduleId, await manager.createSession(sessionId));
    } catch (cause) {
      await giveUp(joining, sessionId, manager.moduleId, cause);
    }
  }
}

async function giveUp(
  { store, logger, modules }: Joining,
  sessionId: string,
  moduleId: string,
  cause: unknown,
): Promise<never> {
  const reason = errorMessage(cause);
  const message = `Session ${sessionId} was not created: ${moduleId} could not join it (${reason}).`;
  const error = standardError({
    id: randomUUID(),
    timestamp: new Date(),
    code: 'SP002',
    message,
    sessionId,
    moduleId,
  });
  await fromStore(() => closeSession(store, sessionId, { status: SessionStatus.FAILED, error }));
  for (const manager of [...modules.values()].reverse()) {
    await manager.destroySession(sessionId).catch((trouble: unknown) => {
      logger.warn(
        { sessionId, moduleId: manager.moduleId, error: String(trouble) },
        'a module session was not destroyed',
      );
    });
  }
  throw new ClientError('unavailable', 'SP002', message, { cause });
}
