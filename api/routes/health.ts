import { createRoute } from '@hono/zod-openapi';
import { ERROR_TABLE, type ErrorCode } from '../../contracts/errors/standard-error';
import type { ApiApp, ApiParts } from '../context';
import { success } from '../envelope';
import { HttpError, RETRY_AFTER } from '../error-response';
import { dataOf, errorResponses, HealthSchema } from '../openapi/schemas';

/** Both are asked at the same time, so the answer is there within two seconds whatever hangs. */
const WITHIN_MS = 1500;

type Answer = { state: 'up' } | { state: 'down'; reason: string };

const health = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'health',
  tags: ['Service'],
  summary: 'Whether the database and Temporal answer',
  responses: { 200: dataOf(HealthSchema, 'Both answer'), ...errorResponses(503) },
});

export function addHealth(app: ApiApp, parts: ApiParts): void {
  app.openapi(health, async (c) => {
    const [store, temporal] = await Promise.all([answerOf(parts.health.store), answerOf(parts.health.temporal)]);
    c.header('Cache-Control', 'no-store');
    if (store.state === 'up' && temporal.state === 'up') {
      return c.json(success(c, { status: 'ok' as const, store, temporal }), 200);
    }
    const code: ErrorCode = store.state === 'down' ? 'CM002' : 'SP002';
    const down = Object.entries({ database: store, Temporal: temporal }).filter(([, { state }]) => state === 'down');
    const message = `No answer from: ${down.map(([name]) => name).join(', ')}.`;
    const { retryable } = ERROR_TABLE[code];
    throw new HttpError({ status: 503, code, message, details: { store, temporal }, retryable, headers: RETRY_AFTER });
  });
}

/** The asked one may hang for ever; its late answer is nobody's any more. */
async function answerOf(ask: () => Promise<void>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'down', reason: `no answer within ${WITHIN_MS} ms` }), WITHIN_MS);
  });
  const asked = ask().then(
    (): Answer => ({ state: 'up' }),
    (error: unknown): Answer => ({ state: 'down', reason: error instanceof Error ? error.message : String(error) }),
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
