import { setTimeout as delay } from 'node:timers/promises';
import { SessionStatus } from '../contracts/sessions/session';
import { closeSession } from '../store/endings/close-session';
import { sessionIdOf } from '../store/sessions/session-id';
import { createActivities, type ActivityTable } from './activity/define-activities';
import type { CallingRun, AdoptRun } from './activity/adopt-run';
import type { TaskActivities } from './signatures/task-activities';
import type { ModelTurnDeps } from './engine/tasks/turn-request';
import { getCommandOutcome } from './engine/tasks/command-outcome';
import { beginCall, storeToolResult } from './engine/tasks/remote-calls';
import { endCancelledCall } from './engine/tasks/end-cancelled-call';
import { endOpenCalls } from './engine/tasks/end-open-calls';
import { planWayBack } from './engine/tasks/plan-way-back';
import { planCall, runModelTurn } from './engine/tasks/run-model-turn';
import type { EngineActivities } from './signatures/engine-activities';
import { openSession, type OpenSessionDeps } from './engine/sessions/open-session';
import { planStart } from './engine/sessions/plan-start';
import { checkMessage, newestStep, readStep, readSteps, storeSteps } from './engine/sessions/stored-steps';
import { recoverSession } from './engine/sessions/recover-session';
import { publishEvents } from './engine/sessions/publish-events';
import { judgeSignIn } from './engine/sessions/judge-sign-in';
import { leaseProfile } from './engine/sessions/lease-profile';
import { isHostGone } from './engine/sessions/host-gone';
import { updateQueuePosition } from './engine/sessions/browser-queue';
import { assess } from './engine/decide/assess';
import { decide } from './engine/decide/decide';
import type { DecideDeps } from './engine/decide/request-decision';
import type { EngineTools } from './engine/tools/engine-tools';
import { planStepCommand } from './engine/tools/plan-step-command';
import { runTool } from './engine/tools/running/run-tool';
import { relayCall } from './relay';
import type { RecoveryActivities } from './signatures/recovery-activities';
import type { RelayActivities } from './signatures/relay-activities';

export interface EngineDeps extends DecideDeps, ModelTurnDeps, OpenSessionDeps {
  /** Tools that run here: modules of the operator, and those of MCP servers. */
  engineTools: EngineTools;
  requestCancel: (workflowId: string, runId: string) => Promise<void>;
  adoptRun?: AdoptRun | undefined;
  /** Has another session go on where this run was reset to, if its own had ended before; resolves to its id. */
  forkAfterReset?: (run: CallingRun, stepIndex: number) => Promise<string | undefined>;
}

type AllActivities = EngineActivities & TaskActivities & RelayActivities & RecoveryActivities;

const ACTIVITIES: ActivityTable<EngineDeps, AllActivities> = {
  relayCall: ['TL004', 'executor', relayCall],
  openSession: ['SP002', 'step-processor', openSession],
  decide: ['TL002', 'task-loop', decide],
  assess: ['TL005', 'task-loop', assess],
  runModelTurn: ['TL002', 'task-loop', runModelTurn],
  planCall: ['TL002', 'task-loop', planCall],
  planStepCommand: ['CM002', 'task-loop', planStepCommand],
  planWayBack: ['CM002', 'task-loop', planWayBack],
  getCommandOutcome: ['CM002', 'task-loop', getCommandOutcome],
  beginCall: ['CM002', 'task-loop', beginCall],
  storeToolResult: ['CM002', 'task-loop', storeToolResult],
  endCancelledCall: ['CM002', 'task-loop', endCancelledCall],
  endOpenCalls: ['CM002', 'task-loop', endOpenCalls],
  runTool: ['TL004', 'task-loop', runTool],
  publishEvents: ['ES003', 'executor-streamer', publishEvents],
  recoverSession: ['CM002', 'executor-streamer', recoverSession],
  abandonSession: [
    'ES003',
    'executor-streamer',
    async ({ store, forkAfterReset }, { error, stepIndex }, { workflowId, runId }) => {
      const forkId = await forkAfterReset?.({ workflowId, runId }, stepIndex);
      if (forkId !== undefined) return { forkId };
      await closeSession(store, sessionIdOf(workflowId), { status: SessionStatus.FAILED, error });
      return {};
    },
  ],
  updateQueuePosition: [
    'ES003',
    'executor-streamer',
    ({ store }, input, { runId }) => updateQueuePosition(store, input, runId),
  ],
  leaseProfile: ['CM002', 'executor', ({ store }, input, call) => leaseProfile(store, input, call)],
  leaseSecrets: [
    'CM002',
    'executor',
    ({ store }, { sessionId }, { runId }) => store.secretLeases.lease(sessionId, runId),
  ],
  judgeSignIn: ['CM002', 'step-processor', judgeSignIn],
  isHostGone: [
    'CM002',
    'executor',
    ({ store }, { hostId }, { signal }) => isHostGone(store, hostId, (ms) => delay(ms, undefined, { signal })),
  ],
  requestCancel: ['SP002', 'step-processor', (deps, _, { workflowId, runId }) => deps.requestCancel(workflowId, runId)],
  planStart: ['SP002', 'step-processor', planStart],
  storeSteps: ['CM002', 'step-processor', ({ store }, input) => storeSteps(store, input)],
  readStep: ['CM002', 'step-processor', ({ store }, input) => readStep(store, input)],
  readSteps: ['CM002', 'step-processor', ({ store }, input) => readSteps(store, input)],
  newestStep: ['CM002', 'step-processor', ({ store }, { sessionId }) => newestStep(store, sessionId)],
  checkMessage: ['CM002', 'step-processor', checkMessage],
};

/** The activities of an engine worker, closed over what they reach. */
export function createEngineActivities(deps: EngineDeps): AllActivities {
  return createActivities(deps, ACTIVITIES, deps.adoptRun);
}
