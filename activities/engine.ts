import { setTimeout as delay } from 'node:timers/promises';
import { compatibilityOf, partyOf, storedSession } from '../contracts/modules/compatibility';
import type { Budget } from '../contracts/models/budget';
import type { StandardError } from '../contracts/errors/standard-error';
import { SessionStatus } from '../contracts/sessions/session';
import { faultPoint } from '../runtime/fault-point';
import { closeSession } from '../store/sessions/close-session';
import { sessionIdOf } from '../store/sessions/session-id';
import { parseStart } from '../contracts/sessions/start-request';
import { activity } from './activity';
import type {
  TaskActivities,
  BeginCallInput,
  CancelledCall,
  CommandOutcome,
  CommandOutcomeInput,
  EndCancelledCallInput,
  PlanCallInput,
  RunToolInput,
  StoreToolResultInput,
  ModelTurnInput,
  ToolEnd,
} from './task-activities';
import type { ModelTurnDeps } from './tasks/ask-model';
import { getCommandOutcome } from './tasks/command-outcome';
import { beginCall, storeToolResult } from './tasks/remote-calls';
import { endCancelledCall } from './tasks/end-cancelled-call';
import { planCall, runModelTurn } from './tasks/run-model-turn';
import type {
  AssessInput,
  AssessOutput,
  DecideInput,
  EngineActivities,
  OpenSessionInput,
  OpenSessionOutput,
  PublishInput,
  QueuePositionInput,
} from './engine-activities';
import { writeOutbox } from './sessions/write-outbox';
import { isHostGone } from './sessions/host-gone';
import { updateQueuePosition } from './sessions/browser-queue';
import { EngineError } from './failures';
import { assess } from './models/steps/assess';
import { decide, type DecideDeps } from './models/steps/decide';
import type { EngineTools } from './tools/engine-tools';
import { runTool } from './tools/run-tool';
import { createRelayActivities } from './relay';
import type { RelayActivities } from './relay-activities';

export interface EngineDeps extends DecideDeps, ModelTurnDeps {
  /** Tools that run here: modules of the operator, and those of MCP servers. */
  engineTools: EngineTools;
  /** SUREFOOT_MODEL of this worker. */
  defaultModel: string;
  /** Whether the Temporal server knows our search attributes; found out once, when the worker starts. */
  hasSearchAttributes: boolean;
  /** SUREFOOT_PAUSE_RELEASE_MS of this worker. */
  pauseReleaseMs: number;
  /** SUREFOOT_BUDGET of this worker. */
  defaultBudget?: Budget | undefined;
  requestCancel: (workflowId: string, runId: string) => Promise<void>;
}

/** The activities of an engine worker, closed over what they reach. */
export function createEngineActivities(deps: EngineDeps): EngineActivities & TaskActivities & RelayActivities {
  const { store } = deps;
  return {
    ...createRelayActivities(deps),
    openSession: activity<OpenSessionInput & { sessionId?: string }, OpenSessionOutput>(
      'SP002',
      'step-processor',
      async (input, { workflowId, runId }) => {
        const sessionId = sessionIdOf(workflowId);
        const parsed = parseStart(input.request);
        if (parsed.kind === 'invalid')
          throw new EngineError('SP001', parsed.issues.map((issue) => issue.message).join('; '));
        const { row } = await store.sessions.create({ sessionId, workflowId, plan: parsed.plan });
        assertFits(row.version);
        await store.sessions.assignRun(sessionId, runId, input.continuedFrom);
        if (input.continuedFrom !== undefined) faultPoint('during-handover', sessionId);
        await writeOutbox(store, sessionId, runId, input.outbox);
        const { defaultModel, hasSearchAttributes, pauseReleaseMs, defaultBudget } = deps;
        return { sessionId, defaultModel, hasSearchAttributes, pauseReleaseMs, defaultBudget };
      },
    ),
    decide: activity<DecideInput, Awaited<ReturnType<EngineActivities['decide']>>>(
      'TL002',
      'task-loop',
      (input, call) => decide(deps, input, call),
    ),
    assess: activity<AssessInput, AssessOutput>('TL005', 'task-loop', (input, call) => assess(deps, input, call)),
    runModelTurn: activity<ModelTurnInput, Awaited<ReturnType<TaskActivities['runModelTurn']>>>(
      'TL002',
      'task-loop',
      (input, call) => runModelTurn(deps, input, call),
    ),
    planCall: activity<PlanCallInput, Awaited<ReturnType<TaskActivities['planCall']>>>('TL002', 'task-loop', (input) =>
      planCall(deps, input),
    ),
    getCommandOutcome: activity<CommandOutcomeInput, CommandOutcome>('CM002', 'task-loop', (input) =>
      getCommandOutcome(deps, input),
    ),
    beginCall: activity<BeginCallInput, { args: Record<string, unknown> }>('CM002', 'task-loop', (input, call) =>
      beginCall(deps, input, call),
    ),
    storeToolResult: activity<StoreToolResultInput, ToolEnd>('CM002', 'task-loop', (input, call) =>
      storeToolResult(deps, input, call),
    ),
    endCancelledCall: activity<EndCancelledCallInput, CancelledCall>('CM002', 'task-loop', (input, call) =>
      endCancelledCall(deps, input, call),
    ),
    runTool: activity<RunToolInput, ToolEnd>('TL004', 'task-loop', (input, call) => runTool(deps, input, call)),
    publishEvents: activity<PublishInput, void>(
      'ES003',
      'executor-streamer',
      async ({ sessionId, outbox }, { runId }) => {
        await writeOutbox(store, sessionId, runId, outbox);
      },
    ),
    abandonSession: activity<{ error: StandardError; sessionId?: string }, void>(
      'ES003',
      'executor-streamer',
      async ({ error }, { workflowId }) => {
        await closeSession(store, sessionIdOf(workflowId), { status: SessionStatus.FAILED, error });
      },
    ),
    updateQueuePosition: activity<QueuePositionInput, number | null>('ES003', 'executor-streamer', (input, { runId }) =>
      updateQueuePosition(store, input, runId),
    ),
    isHostGone: activity<{ sessionId: string; hostId: string }, boolean>(
      'CM002',
      'executor',
      ({ hostId }, { signal }) => isHostGone(store, hostId, (ms) => delay(ms, undefined, { signal })),
    ),
    requestCancel: activity<{ sessionId?: string }, void>('SP002', 'step-processor', (_, { workflowId, runId }) =>
      deps.requestCancel(workflowId, runId),
    ),
    storeSteps: activity('CM002', 'step-processor', async ({ sessionId, steps, firstIndex }) => {
      await store.sessions.addSteps(sessionId, steps, firstIndex);
    }),
  };
}

/** A session of a version that this worker does not understand is not touched. */
function assertFits(version: string): void {
  const verdict = compatibilityOf(partyOf('step-processor'), storedSession('the stored session', version));
  if (verdict.kind === 'incompatible') throw new EngineError('SM003', verdict.message);
}
