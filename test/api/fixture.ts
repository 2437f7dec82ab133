import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { z } from 'zod';
import { createApi } from '../../api/app';
import type { ApiApp, ApiParts } from '../../api/http/context';
import { createBrowserSessions } from '../../service/browser-sessions';
import { connectTemporal, pingTemporal } from '../../service/connection/connect-temporal';
import { openCoordinator, type Coordinator } from '../../service/coordinator/coordinator';
import { createUploads } from '../../service/files/uploads';
import { createEffects } from '../../service/effects/effects';
import { createOperations } from '../../service/operations/operations';
import { createProfiles } from '../../service/profiles/profiles';
import { createRecipes } from '../../service/recipes/recipes';
import { createBatches } from '../../service/batches/batches';
import { createSchedules } from '../../service/schedules/schedules';
import { createSessions } from '../../service/sessions';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { NewRecord } from '../../contracts/events/log';
import { DEFAULT_MODEL_LIMITS } from '../../contracts/models/model-limits';
import { SessionStatus } from '../../contracts/sessions/session';
import { parseStart, type SessionPlan } from '../../contracts/sessions/start-request';
import type { Store } from '../../store/store';
import { startTestStack, type TestStack } from '../support/stack';

/** The API on a real store and a real Temporal server, without a socket. */
export interface TestApi {
  app: ApiApp;
  parts: ApiParts;
  coordinator: Coordinator;
  store: Store;
  stack: TestStack;
  closing: AbortController;
  stop(): Promise<void>;
}

/** A model connection that sessions may name. */
export const CONNECTIONS = { 'team-a': { vendor: 'ai:openai', model: 'gpt-5', keyEnv: 'TEAM_A_KEY' } } as const;

const KEEP = { artifactHours: 24, artifactsPerSession: 100, sessionDays: 30, tombstoneDays: 365, uploadDays: 7 };

export const silent = pino({ enabled: false });

export async function startTestApi(more: Partial<ApiParts> = {}): Promise<TestApi> {
  const stack = await startTestStack();
  const store = await stack.store();
  const temporal = connectTemporal({ address: stack.temporalAddress, namespace: 'default' });
  const closing = new AbortController();
  const coordinator = await openCoordinator({ store, temporal, logger: silent });
  const parts: ApiParts = {
    sessions: createSessions({ store, temporal, connections: CONNECTIONS, join: coordinator.join }),
    browserSessions: createBrowserSessions({ store, lives: { pairingMs: 300_000, sessionMs: 30 * 86_400_000 } }),
    uploads: createUploads({ store }),
    recipes: createRecipes({ store }),
    effects: createEffects({ store }),
    profiles: createProfiles({ store }),
    schedules: createSchedules({ store, temporal, connections: CONNECTIONS }),
    batches: createBatches({ store, temporal, connections: CONNECTIONS }),
    operations: createOperations({ store, keep: KEEP, modelLimits: DEFAULT_MODEL_LIMITS }),
    coordinator,
    health: { store: () => store.ping(), temporal: () => pingTemporal(temporal, 1400) },
    logger: silent,
    closing: closing.signal,
    temporalLink: (workflowId) => `http://temporal.test/workflows/${workflowId}`,
    ...more,
  };
  return {
    app: createApi(parts),
    parts,
    coordinator,
    store,
    stack,
    closing,
    async stop() {
      closing.abort();
      await coordinator.close();
      await temporal.connection.close();
      await stack.stop();
    },
  };
}

const anything = z.any().optional();

/** The body of an answer, as a client without our types sees it. */
const BodySchema = z.strictObject({
  success: z.boolean(),
  data: anything,
  error: anything,
  pagination: anything,
  nextAfter: anything,
  hasMore: anything,
  isEnded: anything,
  metadata: z.strictObject({
    timestamp: z.iso.datetime(),
    requestId: z.string(),
    version: z.string(),
    processingTimeMs: z.number(),
  }),
});

export async function bodyOf(response: Response | Promise<Response>): Promise<z.infer<typeof BodySchema>> {
  return BodySchema.parse(await (await response).json());
}

export function post(body?: unknown, headers: Record<string, string> = {}): RequestInit {
  if (body === undefined) return { method: 'POST', headers };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text };
}

export function aPlan(request: unknown = { steps: ['open http://127.0.0.1/', 'click "Buy"'] }): SessionPlan {
  const parsed = parseStart(request);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  return parsed.plan;
}

/** A session that is in the store only: its workflow is played by the test. */
export async function aSession(store: Store, request?: unknown): Promise<string> {
  const sessionId = randomUUID();
  await store.sessions.create({ sessionId, workflowId: sessionId, plan: aPlan(request) });
  return sessionId;
}

export function thought(number: number): NewRecord {
  return {
    eventId: `thought/${number}`,
    owner: 'task-loop',
    type: StreamEventType.AI_REASONING,
    at: new Date().toISOString(),
    data: { reasoning: { thought: `number ${number}`, confidence: 0.9, reasoningType: 'plan' } },
  };
}

export function thoughts(from: number, to: number): NewRecord[] {
  return Array.from({ length: to - from + 1 }, (_, index) => thought(from + index));
}

export async function endSession(store: Store, sessionId: string, status = SessionStatus.COMPLETED): Promise<number> {
  const type =
    status === SessionStatus.COMPLETED ? StreamEventType.WORKFLOW_COMPLETED : StreamEventType.WORKFLOW_FAILED;
  const record: NewRecord = { eventId: 'end', owner: 'step-processor', type, at: new Date().toISOString(), data: {} };
  // Only an active session completes.
  if ((await store.sessions.get(sessionId))?.status === SessionStatus.INITIALIZING)
    await store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  return await store.log.append(sessionId, [record], { patch: { status, closed: true } });
}
