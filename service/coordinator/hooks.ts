import type {
  ModuleSessionLinkCallback,
  SessionCoordinator,
  WorkflowSessionCallback,
} from '../../contracts/modules/coordinator';
import type { SessionChange } from './session-changes';
import { createCallbackQueue } from './callback-queue';

interface CoordinatorHooks {
  onCreated: SessionCoordinator['onWorkflowSessionCreated'];
  onDestroyed: SessionCoordinator['onWorkflowSessionDestroyed'];
  onLinked: SessionCoordinator['onModuleSessionLinked'];
  notify(sessionId: string, change: SessionChange): void;
}

/** S1.R7: each callback is called for every session, whichever process created it, in the order of the changes. */
export function createCoordinatorHooks(report: (error: unknown) => void): CoordinatorHooks {
  const listeners: ((sessionId: string, change: SessionChange) => void)[] = [];
  function add(toCall: (sessionId: string, change: SessionChange) => Promise<void> | undefined): void {
    const inOrder = createCallbackQueue(report);
    listeners.push((sessionId, change) => inOrder(() => toCall(sessionId, change)));
  }
  return {
    onCreated: (callback: WorkflowSessionCallback) =>
      add((_, change) => (change.kind === 'created' ? callback(change.session) : undefined)),
    onDestroyed: (callback: WorkflowSessionCallback) =>
      add((_, change) => (change.kind === 'destroyed' ? callback(change.session) : undefined)),
    onLinked: (callback: ModuleSessionLinkCallback) =>
      add((sessionId, change) =>
        change.kind === 'linked' ? callback(sessionId, change.moduleId, change.moduleSessionId) : undefined,
      ),
    notify(sessionId, change) {
      for (const listener of listeners) listener(sessionId, change);
    },
  };
}
