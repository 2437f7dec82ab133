import type { ModelProfile } from '../../../contracts/models/reading';
import type { Budget } from '../../../contracts/models/budget';
import { compatibilityOf, partyOf, storedSession } from '../../../contracts/modules/compatibility';
import type { SessionPlan } from '../../../contracts/sessions/start-request';
import { issuesText } from '../../../contracts/errors/issues';
import { connectionIssues, type Connections } from '../../../contracts/sessions/model-connections';
import { DEFAULT_AI_CONNECTION, DEFAULT_MODEL } from '../../../contracts/sessions/config';
import { modelsWhereNoneIsNamed } from './default-model';
import type { OutboxBatch } from '../../../contracts/events/outbox';
import { SECRET_MARK } from '../../../contracts/sessions/resources';
import { SessionStatus } from '../../../contracts/sessions/session';
import { StreamEventType } from '../../../contracts/events/stream-event';
import type { NewRecord } from '../../../contracts/events/log';
import { faultPoint } from '../../../runtime/fault-point';
import { floorIssues, modelIssues, type Floors } from '../../../runtime/settings/floors/floor-issues';
import { closeSession } from '../../../store/endings/close-session';
import { sessionIdOf } from '../../../store/sessions/session-id';
import type { Store } from '../../../store/store';
import type { ActivityCall } from '../../activity/activity';
import type { OpenSessionInput, OpenSessionOutput } from '../../signatures/engine-activities';
import { EngineError, toStandardError } from '../../activity/failures';
import { writeOutbox } from '../../activity/write-outbox';

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
  /** SUREFOOT_MODEL_TIMEOUT_SECONDS of this worker, in milliseconds. */
  modelTimeoutMs?: number | undefined;
  /** SUREFOOT_MODEL_PROFILE of this worker. */
  modelProfile?: ModelProfile | undefined;
  /** What no request can lower, also that of a plain Temporal start. */
  floors?: Floors | undefined;
  /** SUREFOOT_CONNECTIONS of this worker. */
  connections?: Connections | undefined;
}

/** Makes the calling run the one that writes for the session, and creates a row that was lost. */
export async function openSession(
  {
    store,
    defaultModel: ofWorker,
    hasSearchAttributes,
    pauseReleaseMs,
    defaultBudget,
    modelTimeoutMs,
    modelProfile = 'full',
    connections = {},
    floors,
  }: OpenSessionDeps,
  { hasPlan, plan, continuedFrom, outbox }: OpenSessionInput,
  { workflowId, runId }: Pick<ActivityCall, 'workflowId' | 'runId'>,
): Promise<OpenSessionOutput | null> {
  const sessionId = sessionIdOf(workflowId);
  const row =
    plan === undefined
      ? await store.sessions.get(sessionId)
      : (await store.sessions.create({ sessionId, workflowId, plan })).row;
  if (row === null && hasPlan === true) return null;
  assertCompatible(row?.version);
  const begun = continuedFrom === undefined ? row?.plan : undefined;
  if (begun !== undefined) await assertAllowed(store, sessionId, begun, { connections, floors });
  const { defaultModel, connectionModels } = modelsWhereNoneIsNamed(row?.plan, ofWorker, connections);
  await store.sessions.assignRun(sessionId, runId, continuedFrom);
  if (continuedFrom !== undefined) faultPoint('during-handover', sessionId);
  await writeOutbox(store, sessionId, runId, begun === undefined ? outbox : withModel(outbox, begun, defaultModel));
  if (begun !== undefined)
    await store.log.append(sessionId, await givenVariables(store, sessionId), { guard: { runId } });
  const mostBudget = floors?.floors.budget;
  return {
    sessionId,
    defaultModel,
    connectionModels,
    smallConnections: namesOfSmall({ ...connections, [DEFAULT_AI_CONNECTION]: { profile: modelProfile } }, floors),
    hasSearchAttributes,
    decidesAtBrowser: mayDecideAtBrowser(floors),
    stepsInARow: true,
    pauseReleaseMs,
    defaultBudget,
    modelTimeoutMs,
    mostBudget,
  };
}

/** Where the operator has people asked, or allows other models only, each decision is looked at before it is run. */
function mayDecideAtBrowser(floors: Floors | undefined): boolean {
  return (floors?.floors.approvalMode ?? 'yolo') === 'yolo' && mayUseRules(floors);
}

function namesOfSmall(
  connections: Readonly<Record<string, { profile?: ModelProfile | undefined }>>,
  floors: Floors | undefined,
): string[] {
  if (!mayUseRules(floors)) return [];
  return Object.keys(connections).filter((name) => connections[name]!.profile === 'small');
}

function mayUseRules(floors: Floors | undefined): boolean {
  return modelIssues('', 'rules', floors?.floors.models ?? []).length === 0;
}

/** The workflow does not know the model of its workers when it records that it has started. */
function withModel(outbox: OutboxBatch, { config: { ai } }: SessionPlan, defaultModel: string): OutboxBatch {
  const model = ai.model === DEFAULT_MODEL ? defaultModel : ai.model;
  const records = outbox.records.map((record) =>
    record.type === StreamEventType.WORKFLOW_STARTED
      ? { ...record, data: { ...record.data, details: { ...record.data.details, model } } }
      : record,
  );
  return { ...outbox, records };
}

/** The variables that the session was started with; one of the environment shows its mark. */
async function givenVariables({ variables }: Store, sessionId: string): Promise<NewRecord[]> {
  const given = (await variables.ofSession(sessionId)).filter(({ source }) => source === 'user_input');
  return given.map(({ name, value, env, source, at }) => ({
    eventId: `${sessionId}/variable/${name}`,
    owner: 'executor',
    type: StreamEventType.VARIABLE_UPDATED,
    at: at.toISOString(),
    data: { variable: { name, value: env === null ? (value ?? '') : SECRET_MARK, timestamp: at, sessionId, source } },
  }));
}

/**
 * Refuses a plan that goes below a floor, or that names a connection that is none. A start by the API, the CLI or the
 * library was checked before. The refusal ends the log: nobody else knows its reason.
 */
async function assertAllowed(
  store: Store,
  sessionId: string,
  plan: SessionPlan,
  { connections = {}, floors }: Pick<OpenSessionDeps, 'connections' | 'floors'>,
): Promise<void> {
  const issues = [...connectionIssues(plan, connections), ...(floors === undefined ? [] : floorIssues(plan, floors))];
  if (issues.length === 0) return;
  const message = `The session can not be started: ${issuesText(issues)}`;
  const refusal = new EngineError('SP001', message, { details: { issues }, isFinal: true });
  const error = toStandardError(refusal, 'SP001', { sessionId, moduleId: 'step-processor' });
  await closeSession(store, sessionId, { status: SessionStatus.FAILED, error });
  throw refusal;
}

/** A session of a version that this worker does not understand is not touched. */
function assertCompatible(version: string | undefined): void {
  if (version === undefined) return;
  const verdict = compatibilityOf(partyOf('step-processor'), storedSession('the stored session', version));
  if (verdict.kind === 'incompatible') throw new EngineError('SM003', verdict.message);
}
