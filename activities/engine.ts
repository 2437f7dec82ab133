import { setTimeout as delay } from 'node:timers/promises';
import type { StandardError } from '../contracts/errors/standard-error';
import { SessionStatus } from '../contracts/sessions/session';
import { closeSession } from '../store/sessions/close-session';
import { sessionIdOf } from '../store/sessions/session-id';
import { activity } from './activity';
import type {
  TaskActivities,
  BeginCallInput,
  CancelledCall,
  CommandOutcome,
  CommandOutcomeInput,
  EndCancelledCallInput,
  EndOpenCallsInput,
  PlanCallInput,
  PlanWayBackInput,
  WayBack,
  RunToolInput,
  StoreToolResultInput,
  ModelTurnInput,
  ToolEnd,
} from './task-activities';
import type { ModelTurnDeps } from './tasks/turn-request';
import { getCommandOutcome } from './tasks/command-outcome';
import { beginCall, storeToolResult } from './tasks/remote-calls';
import { endCancelledCall } from './tasks/end-cancelled-call';
import { endOpenCalls } from './tasks/end-open-calls';
import { planWayBack } from './tasks/plan-way-back';
import { planCall, runModelTurn } from './tasks/run-model-turn';
import type {
  AssessInput,
  AssessOutput,
  DecideInput,
  EngineActivities,
  OpenSessionInput,
  OpenSessionOutput,
  PlannedInput,
  PublishInput,
  QueuePlace,
  QueuePositionInput,
} from './engine-activities';
import { openSession, type OpenSessionDeps } from './sessions/open-session';
import { planStart } from './sessions/plan-start';
import { checkMessage, readStep, storeSteps } from './sessions/stored-steps';
import { recoverSession } from './sessions/recover-session';
import { publishEvents } from './sessions/publish-events';
import { isHostGone } from './sessions/host-gone';
import { updateQueuePosition } from './sessions/browser-queue';
import { assess } from './models/steps/assess';
import { decide, type DecideDeps } from './models/steps/decide';
import type { EngineTools } from './tools/engine-tools';
import { runTool } from './tools/running/run-tool';
import { createRelayActivities } from './relay';
import type { RecoverSessionInput, RecoverSessionOutput, RecoveryActivities } from './recovery-activities';
import type { RelayActivities } from './relay-activities';

export interface EngineDeps extends DecideDeps, ModelTurnDeps, OpenSessionDeps {
  /** Tools that run here: modules of the operator, and those of MCP servers. */
  engineTools: EngineTools;
  requestCancel: (workflowId: string, runId: string) => Promise<void>;
}

/** The activities of an engine worker, closed over what they reach. */
export function createEngineActivities(
  deps: EngineDeps,
): EngineActivities & TaskActivities & RelayActivities & RecoveryActivities {
  const { store } = deps;
  return {
    ...createRelayActivities(deps),
    openSession: activity<OpenSessionInput & { sessionId?: string }, OpenSessionOutput>(
      'SP002',
      'step-processor',
      (input, call) => openSession(deps, input, call),
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
    planWayBack: activity<PlanWayBackInput, WayBack>('CM002', 'task-loop', (input) => planWayBack(deps, input)),
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
    endOpenCalls: activity<EndOpenCallsInput, void>('CM002', 'task-loop', (input, call) =>
      endOpenCalls(deps, input, call),
    ),
    runTool: activity<RunToolInput, ToolEnd>('TL004', 'task-loop', (input, call) => runTool(deps, input, call)),
    publishEvents: activity<PublishInput, void>('ES003', 'executor-streamer', (input, call) =>
      publishEvents(deps, input, call),
    ),
    recoverSession: activity<RecoverSessionInput, RecoverSessionOutput>('CM002', 'executor-streamer', (input, call) =>
      recoverSession(deps, input, call),
    ),
    abandonSession: activity<{ error: StandardError; sessionId?: string }, void>(
      'ES003',
      'executor-streamer',
      async ({ error }, { workflowId }) => {
        await closeSession(store, sessionIdOf(workflowId), { status: SessionStatus.FAILED, error });
      },
    ),
    updateQueuePosition: activity<QueuePositionInput, QueuePlace | null>(
      'ES003',
      'executor-streamer',
      (input, { runId }) => updateQueuePosition(store, input, runId),
    ),
    isHostGone: activity<{ sessionId: string; hostId: string }, boolean>(
      'CM002',
      'executor',
      ({ hostId }, { signal }) => isHostGone(store, hostId, (ms) => delay(ms, undefined, { signal })),
    ),
    requestCancel: activity<{ sessionId?: string }, void>('SP002', 'step-processor', (_, { workflowId, runId }) =>
      deps.requestCancel(workflowId, runId),
    ),
    planStart: activity<{ input: unknown; sessionId?: string }, PlannedInput>(
      'SP002',
      'step-processor',
      (input, call) => planStart(deps, input, call),
    ),
    storeSteps: activity('CM002', 'step-processor', (input) => storeSteps(store, input)),
    readStep: activity('CM002', 'step-processor', (input) => readStep(store, input)),
    checkMessage: activity('CM002', 'step-processor', (input) => checkMessage(deps, input)),
  };
}
