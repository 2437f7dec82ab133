import type { StandardError } from '../contracts/errors';
import { SessionStatus } from '../contracts/session';
import { closeOut } from '../store/close-out';
import { sessionIdOf } from '../store/session-id';
import { parseStart } from '../contracts/start-request';
import { activity } from './activity';
import type {
  DecideInput,
  EngineActivities,
  OpenSessionInput,
  OpenSessionOutput,
  PublishInput,
} from './engine-activities';
import { write } from './events/bookkeeping';
import { EngineError } from './failures';
import { decide, type DecideDeps } from './model/decide';

export interface EngineDeps extends DecideDeps {
  /** SUREFOOT_MODEL of this worker. */
  defaultModel: string;
  /** Whether the Temporal server knows our search attributes; found out once, when the worker starts. */
  hasSearchAttributes: boolean;
  requestCancel: (workflowId: string, runId: string) => Promise<void>;
}

/** The activities of an engine worker, closed over what they reach. */
export function createEngineActivities(deps: EngineDeps): EngineActivities {
  const { store } = deps;
  return {
    openSession: activity<OpenSessionInput & { sessionId?: string }, OpenSessionOutput>(
      'SP002',
      'step-processor',
      async (input, { workflowId, runId }) => {
        const sessionId = sessionIdOf(workflowId);
        const parsed = parseStart(input.request);
        if (parsed.kind === 'invalid')
          throw new EngineError('SP001', parsed.issues.map((issue) => issue.message).join('; '));
        await store.sessions.create({ sessionId, workflowId, plan: parsed.plan });
        await store.sessions.claim(sessionId, runId, input.continuedFrom);
        await write(store, sessionId, runId, input.bookkeeping);
        return { sessionId, defaultModel: deps.defaultModel, hasSearchAttributes: deps.hasSearchAttributes };
      },
    ),
    decide: activity<DecideInput, Awaited<ReturnType<EngineActivities['decide']>>>(
      'TL002',
      'task-loop',
      (input, call) => decide(deps, input, call),
    ),
    publishEvents: activity<PublishInput, void>(
      'ES003',
      'executor-streamer',
      async ({ sessionId, bookkeeping }, { runId }) => {
        await write(store, sessionId, runId, bookkeeping);
      },
    ),
    abandonSession: activity<{ error: StandardError; sessionId?: string }, void>(
      'ES003',
      'executor-streamer',
      async ({ error }, { workflowId }) => {
        await closeOut(store, sessionIdOf(workflowId), { status: SessionStatus.FAILED, error });
      },
    ),
    requestCancel: activity<{ sessionId?: string }, void>('SP002', 'step-processor', (_, { workflowId, runId }) =>
      deps.requestCancel(workflowId, runId),
    ),
    storeSteps: activity('CM002', 'step-processor', async ({ sessionId, steps, firstIndex }) => {
      await store.sessions.addSteps(sessionId, steps, firstIndex);
    }),
  };
}
