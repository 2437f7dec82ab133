import { createParallelActivities } from '../../activities/engine/sessions/parallel-steps';
import type { ParallelActivities } from '../../activities/signatures/parallel-activities';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Store } from '../../store/store';
import type { Script, Seen } from './fake-activities';

interface FakeSessions {
  find(sessionId: string): { script: Script; seen: Seen } | undefined;
  script(workflowId: string, script: Script): unknown;
}

/** The activities themselves, on a store that knows of each session what its fakes have seen; steps have scripts of their own. */
export function createFakeParallel({ find, script }: FakeSessions): ParallelActivities {
  const row = (sessionId: string) => {
    const seen = find(sessionId)?.seen;
    const {
      status = SessionStatus.INITIALIZING,
      closed = false,
      error = null,
    } = Object.assign({}, ...(seen?.patches ?? []));
    return { sessionId, plan: seen?.plan, status, closed, error };
  };
  return createParallelActivities({
    store: {
      sessions: {
        get: async (sessionId: string) => row(sessionId),
        async create({ workflowId, plan }: Parameters<Store['sessions']['create']>[0]) {
          const { sessionId, step } = plan.metadata['stepOf'] as { sessionId: string; step: number };
          script(workflowId, find(sessionId)?.script.steps?.[step - 1] ?? {});
        },
      },
      memory: { stepResults: async (sessionId: string) => find(sessionId)?.seen.stepResults ?? [] },
      variables: { hand: async () => {} },
      results: { get: async () => null },
    } as unknown as Pick<Store, 'sessions' | 'memory' | 'variables' | 'results'>,
  });
}
