import type { Budget } from '../../contracts/models/budget';
import { compatibilityOf, partyOf, storedSession } from '../../contracts/modules/compatibility';
import type { SessionPlan } from '../../contracts/sessions/start-request';
import { issuesText } from '../../contracts/errors/issues';
import { faultPoint } from '../../runtime/fault-point';
import { floorIssues, type Floors } from '../../runtime/floors/floor-issues';
import { sessionIdOf } from '../../store/sessions/session-id';
import type { Store } from '../../store/store';
import type { ActivityCall } from '../activity';
import type { OpenSessionInput, OpenSessionOutput } from '../engine-activities';
import { EngineError } from '../failures';
import { writeOutbox } from './write-outbox';

export interface OpenSessionDeps {
  store: Store;
  /** SUREFOOT_MODEL of this worker. */
  defaultModel: string;
  /** Whether the Temporal server knows our search attributes; found out once, when the worker starts. */
  hasSearchAttributes: boolean;
  /** SUREFOOT_PAUSE_RELEASE_MS of this worker. */
  pauseReleaseMs: number;
  /** SUREFOOT_BUDGET of this worker. */
  defaultBudget?: Budget | undefined;
  /** What no request can lower, also that of a plain Temporal start. */
  floors?: Floors | undefined;
}

/** Makes the calling run the one that writes for the session, and creates the row of a plain Temporal start. */
export async function openSession(
  { store, defaultModel, hasSearchAttributes, pauseReleaseMs, defaultBudget, floors }: OpenSessionDeps,
  { plan, continuedFrom, outbox }: OpenSessionInput,
  { workflowId, runId }: Pick<ActivityCall, 'workflowId' | 'runId'>,
): Promise<OpenSessionOutput> {
  const sessionId = sessionIdOf(workflowId);
  assertCompatible(await versionOf(store, sessionId, workflowId, plan));
  if (plan !== undefined && floors !== undefined) assertFloors(plan, floors);
  await store.sessions.assignRun(sessionId, runId, continuedFrom);
  if (continuedFrom !== undefined) faultPoint('during-handover', sessionId);
  await writeOutbox(store, sessionId, runId, outbox);
  return { sessionId, defaultModel, hasSearchAttributes, pauseReleaseMs, defaultBudget };
}

/** The version in the session's row, which is created here for a plain Temporal start. */
async function versionOf(
  { sessions }: Store,
  sessionId: string,
  workflowId: string,
  plan: SessionPlan | undefined,
): Promise<string | undefined> {
  if (plan === undefined) return (await sessions.get(sessionId))?.version;
  const { row } = await sessions.create({ sessionId, workflowId, plan });
  return row.version;
}

/** A session of a version that this worker does not understand is not touched. */
function assertCompatible(version: string | undefined): void {
  if (version === undefined) return;
  const verdict = compatibilityOf(partyOf('step-processor'), storedSession('the stored session', version));
  if (verdict.kind === 'incompatible') throw new EngineError('SM003', verdict.message);
}

function assertFloors(plan: SessionPlan, floors: Floors): void {
  const issues = floorIssues(plan, floors);
  if (issues.length > 0) throw new EngineError('SP001', `The session can not be started: ${issuesText(issues)}`);
}
