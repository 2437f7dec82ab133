import type {
  ModuleSessionLinkCallback,
  SessionCoordinator,
  WorkflowSessionCallback,
} from '../contracts/modules/coordinator';
import type { SessionFact } from './session-facts';
import { createCallbackQueue } from './told-in-order';

interface CoordinatorHooks {
  onCreated: SessionCoordinator['onWorkflowSessionCreated'];
  onDestroyed: SessionCoordinator['onWorkflowSessionDestroyed'];
  onLinked: SessionCoordinator['onModuleSessionLinked'];
  tell(sessionId: string, fact: SessionFact): void;
}

/** S1.R7: each callback is told of every session, whichever process made it, in the order of the facts. */
export function createCoordinatorHooks(report: (error: unknown) => void): CoordinatorHooks {
  const hearers: ((sessionId: string, fact: SessionFact) => void)[] = [];
  function add(toCall: (sessionId: string, fact: SessionFact) => Promise<void> | undefined): void {
    const inOrder = createCallbackQueue(report);
    hearers.push((sessionId, fact) => inOrder(() => toCall(sessionId, fact)));
  }
  return {
    onCreated: (callback: WorkflowSessionCallback) =>
      add((_, fact) => (fact.kind === 'created' ? callback(fact.session) : undefined)),
    onDestroyed: (callback: WorkflowSessionCallback) =>
      add((_, fact) => (fact.kind === 'destroyed' ? callback(fact.session) : undefined)),
    onLinked: (callback: ModuleSessionLinkCallback) =>
      add((sessionId, fact) =>
        fact.kind === 'linked' ? callback(sessionId, fact.moduleId, fact.moduleSessionId) : undefined,
      ),
    tell(sessionId, fact) {
      for (const hear of hearers) hear(sessionId, fact);
    },
  };
}
