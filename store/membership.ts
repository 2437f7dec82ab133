import { randomUUID } from 'node:crypto';
import { DEPENDENCY_TOKENS, type ModuleRegistration } from '../contracts/modules/dependencies';
import { partyOf } from '../contracts/modules/compatibility';
import { MembershipRefusal, type Processes } from './processes';
import type { Store } from './store';

const HEARTBEAT_MS = 5000;

export interface Membership {
  leave(): Promise<void>;
}

export const MEMBERSHIP = 'Membership';

interface MembershipLogger {
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Enters this process in the table of processes, and renews its entry. Rejects with MembershipRefusal when it may not work with
 * the others; when that shows only later, because it was cut off from the database for a while, it ends itself.
 */
async function joinSystem(processes: Processes, moduleId: string, logger: MembershipLogger): Promise<Membership> {
  const processId = randomUUID();
  const self = partyOf(moduleId);
  for (const message of await processes.join(processId, self)) logger.warn(message);
  let beat = Promise.resolve();
  const timer = setInterval(() => {
    beat = processes.join(processId, self).then(
      () => undefined,
      (error: unknown) => {
        // An unreachable database is reported by whoever uses it; the next heartbeat tries again.
        if (!(error instanceof MembershipRefusal)) return;
        logger.error(error.message);
        process.kill(process.pid, 'SIGTERM');
      },
    );
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    async leave() {
      clearInterval(timer);
      await beat;
      await processes.leave(processId).catch(() => undefined);
    },
  };
}

/** Membership as a module of a process, whose part in the system has the id `moduleId` (S1.A16). */
export function membershipModule(moduleId: string): ModuleRegistration {
  const { DATABASE, LOGGER } = DEPENDENCY_TOKENS;
  return {
    moduleId: MEMBERSHIP,
    dependencies: [DATABASE, LOGGER],
    factory: (container) =>
      joinSystem(container.resolve<Store>(DATABASE).processes, moduleId, container.resolve<MembershipLogger>(LOGGER)),
    singleton: true,
    initializeAsync: true,
  };
}
