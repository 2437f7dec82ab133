import { ERRORS, type ErrorCode } from '../../contracts/errors/error-codes';
import { ModulesHealthSchema } from '../../contracts/modules/session-health';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { HttpError, RETRY_AFTER } from '../http/error-response';
import { hasToken } from '../middleware/authentication';
import { dataOf, errorResponses } from '../openapi/responses';
import { HealthSchema } from '../openapi/schemas';
import { errorMessage } from '../../contracts/errors/error-message';
import { withinMs } from '../../runtime/time-limit';

/** The database and Temporal are asked at the same time, so the answer is there within two seconds even if both hang. */
const WITHIN_MS = 1500;

type Health = { state: 'up' } | { state: 'down'; reason: string };

export function healthRoutes({ health, coordinator, callers }: ApiParts) {
  /** Whoever asks meanwhile gets the same answer: strangers may ask as often as they like. */
  let asked: Promise<[Health, Health]> | undefined;
  return [
    defineRoute(
      {
        method: 'get',
        path: '/health',
        access: 'open',
        operationId: 'health',
        tags: ['Service'],
        summary: 'Whether the database and Temporal answer',
        description: 'Why one of them does not answer is said to callers with the token alone.',
        responses: { 200: dataOf(HealthSchema, 'Both answer'), ...errorResponses(503) },
      },
      async (c) => {
        asked ??= Promise.all([healthOf(health.store), healthOf(health.temporal)]).finally(() => (asked = undefined));
        const [store, temporal] = await asked;
        c.header('Cache-Control', 'no-store');
        if (store.state === 'up' && temporal.state === 'up')
          return respond(c, { status: 'ok' as const, store, temporal }, 200);
        const code: ErrorCode = store.state === 'down' ? 'CM002' : 'SP002';
        const down = Object.entries({ database: store, Temporal: temporal }).filter(
          ([, { state }]) => state === 'down',
        );
        const message = `No answer from: ${down.map(([name]) => name).join(', ')}.`;
        const { retryable } = ERRORS[code];
        const isTrusted = callers?.token === undefined || hasToken(c, callers.token);
        throw new HttpError({
          status: 503,
          code,
          message,
          // A reason may name addresses and accounts of the machines behind the API.
          details: isTrusted
            ? { store, temporal }
            : { store: { state: store.state }, temporal: { state: temporal.state } },
          retryable,
          headers: RETRY_AFTER,
        });
      },
    ),
    defineRoute(
      {
        method: 'get',
        path: '/v1/health/modules',
        operationId: 'modulesHealth',
        tags: ['Service'],
        summary: 'How the nine modules are: their sessions, and what is wrong',
        description: 'Always 200 while the API runs, also when the database is away: `isHealthy` and `errors` say so.',
        responses: { 200: dataOf(ModulesHealthSchema, 'How they are, well or not') },
      },
      async (c) => {
        const modules = await coordinator.modulesHealth();
        c.header('Cache-Control', 'no-store');
        return respond(c, modules, 200);
      },
    ),
  ] as const;
}

/** Pings one system. A ping that hangs counts as down after WITHIN_MS; its late answer is dropped. */
async function healthOf(ping: () => Promise<void>): Promise<Health> {
  return await withinMs(WITHIN_MS, ping()).then(
    () => ({ state: 'up' }),
    (error: unknown) => ({ state: 'down', reason: errorMessage(error) }),
  );
}
