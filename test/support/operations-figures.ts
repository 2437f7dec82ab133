import { randomUUID } from 'node:crypto';
import { NO_MODEL_LIMITS } from '../../contracts/models/model-limits';
import { partyOf } from '../../contracts/modules/compatibility';
import { SessionStatus } from '../../contracts/sessions/session';
import type { Store } from '../../store/store';
import { aSession, endSession } from '../api/fixture';

/** A failed session with this error. */
export async function aFailure(store: Store, code: string, message: string, tenant = 'default'): Promise<string> {
  const sessionId = await aSession(store, { name: 'Buy', steps: ['Look'], tenant });
  const error = { code, message } as never;
  await store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  await store.log.append(sessionId, [], { patch: { status: SessionStatus.FAILED, closed: true, error } });
  return sessionId;
}

/** A completed session with one call of a model. */
export async function aPaidSession(
  store: Store,
  {
    cost,
    model = 'ai:openai/gpt-5',
    outcome = 'replied',
    tenant = 'default',
  }: { cost: string; model?: string; outcome?: string; tenant?: string },
): Promise<string> {
  const sessionId = await aSession(store, { steps: ['Look'], tenant });
  const call = { callId: randomUUID(), model, inputTokens: 900, cost, priceTable: 'list' };
  await store.modelCalls.admit(
    sessionId,
    {
      ...call,
      stepIndex: 0,
      turn: 0,
      requestedBy: 'a',
      attempt: 1,
      tokens: 1000,
      reservedTokens: 0,
      reservedCost: '0',
    },
    NO_MODEL_LIMITS,
  );
  const ended = { outcome, outputTokens: 100, cachedTokens: 0, isEstimated: false, durationMs: 800 };
  await store.modelCalls.settle(sessionId, { ...call, ...ended, verdict: 'answered' }, NO_MODEL_LIMITS);
  await endSession(store, sessionId);
  return sessionId;
}

const MODULES = ['step-processor', 'executor', 'frontend-api'];

/** A host that reports with some of its browsers in use, and a process of each kind. */
export async function aRunningSystem(
  store: Store,
  { browsers, capacity, modules = MODULES }: { browsers: number; capacity: number; modules?: string[] },
): Promise<void> {
  const host = { hostId: 'host-a', keeperUrl: 'http://127.0.0.1:1', token: 't', capacity, browsers };
  await store.hosts.heartbeat(host);
  for (const moduleId of modules) await store.processes.join(`one-${moduleId}`, partyOf(moduleId));
}

/** A breaker that outages have opened. */
export async function anOpenBreaker(store: Store, model: string): Promise<void> {
  const sessionId = await aSession(store, { steps: ['Look'] });
  const call = { callId: randomUUID(), model, keyHash: 'key', inputTokens: 0, cost: '0', priceTable: undefined };
  const limits = { ...NO_MODEL_LIMITS, breaker: { failures: 1, windowMs: 60_000, openMs: 60_000 } };
  const ended = { outcome: 'unavailable', outputTokens: 0, cachedTokens: 0, isEstimated: false, durationMs: 800 };
  await store.modelCalls.settle(sessionId, { ...call, ...ended, verdict: 'outage' }, limits);
}

/** A session that waits for a browser. */
export async function inTheQueue(store: Store, waitsForMs: number): Promise<void> {
  const sessionId = await aSession(store, { steps: ['Look'] });
  const since = new Date(Date.now() - waitsForMs);
  await store.browserRequests.wait({ sessionId, requestId: 'r', priority: 3, since });
}
